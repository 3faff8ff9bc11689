"""What a DAG run asks of the job of normalization, or of that of a long migration."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import UTC, datetime
from typing import Any

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.decisions.settings import MigrationSettings

FIELDS = ("from", "to", "namespaces", "slice_bytes")
"""What a form may hold; a DAG need not ask for all of it."""


@dataclass(frozen=True)
class Interval:
    """A span of event time; `start` belongs to it, `end` does not. None at an end leaves it open."""

    start: datetime | None
    end: datetime | None

    def __post_init__(self) -> None:
        if self.start and self.end and not self.start < self.end:
            raise WrongUsage(f"The interval from {self.start} to {self.end} is empty; let `from` be before `to`.")


def job_arguments(
    run_type: str, data_interval: Interval | None, params: Mapping[str, Any], *, is_replay: bool = False
) -> list[str]:
    """The arguments of the job: a backfill takes its interval, any other run what its form says. Of a run whose form
    says nothing, a replay takes the interval, too, and any other what arrived.

    Raises WrongUsage if the form contradicts itself, the kind of run, or holds what was not asked for, and if a replay
    has neither a span nor an interval.
    """
    _refuse_others(params)
    interval = _stated_interval(params)
    if run_type == "backfill" and interval is not None:
        raise WrongUsage("A backfill takes the interval of each of its runs; leave out `from` and `to`.")
    if interval is None and (run_type == "backfill" or is_replay):
        interval = data_interval
    if interval is None and is_replay:
        raise WrongUsage("This run has no logical date, so it has no day to replay; give `from`, `to` or both.")
    if interval is None and params.get("namespaces"):
        raise WrongUsage(
            "What arrives is always normalized as a whole; give `from` or `to`, too, to choose namespaces."
        )
    return [*_interval_arguments(interval), *_common_arguments(params)]


def _refuse_others(params: Mapping[str, Any]) -> None:
    others = sorted(set(params) - set(FIELDS))
    if others:
        raise WrongUsage(f"The form has no {', '.join(map(repr, others))}; it has {', '.join(FIELDS)}.")


def _stated_interval(params: Mapping[str, Any]) -> Interval | None:
    start, end = _moment("from", params.get("from")), _moment("to", params.get("to"))
    return Interval(start, end) if start or end else None


def _moment(field: str, text: str | None) -> datetime | None:
    if not text:
        return None
    try:
        found = datetime.fromisoformat(text)
    except (TypeError, ValueError) as error:
        raise WrongUsage(f"`{field}` {text!r} is no date and time, such as 2026-11-21T06:00:00Z.") from error
    return found if found.tzinfo else found.replace(tzinfo=UTC)


def _interval_arguments(interval: Interval | None) -> list[str]:
    if interval is None:
        return []
    ends = (("--from", interval.start), ("--to", interval.end))
    return [word for option, end in ends if end is not None for word in (option, end.isoformat())]


def _common_arguments(params: Mapping[str, Any]) -> list[str]:
    namespaces = [word for namespace in params.get("namespaces") or () for word in ("--namespace", namespace)]
    slice_bytes = ["--slice-bytes", str(params["slice_bytes"])] if params.get("slice_bytes") else []
    return [*namespaces, *slice_bytes]


COMMANDS = (
    "run",
    "status",
    "plan",
    "pause",
    "resume",
    "set",
    "cancel",
    "retry",
    "finalize",
    "verify",
    "cutover",
    "rollback",
    "drop",
)
"""The words of `lineage migration`, that of a form first which is unchanged."""

SETTINGS = tuple(field.name for field in fields(MigrationSettings))
"""What a form may set."""

USUAL_WORKERS = 2

VALUE = "^[A-Za-z0-9_.+-]*$"
LONGEST_VALUE = 63
"""A number, true, false, or the name of something stored; never a statement."""


def migration_arguments(params: Mapping[str, Any]) -> list[str]:
    """The arguments of the job: the command, and what belongs to it."""
    command, setting, value = params["command"], params["setting"], params["value"]
    if (command == "set") != bool(setting):
        raise WrongUsage("The setting and its value belong to the command `set`, and it needs both.")
    if value and not (len(value) <= LONGEST_VALUE and re.fullmatch(VALUE, value)):
        raise WrongUsage("A value is a number, true, false, or the name of a stored query.")
    if command == "run":
        return ["run", "--workers", str(params["workers"] or USUAL_WORKERS)]
    return ["set", setting, value or ""] if command == "set" else [command]
