"""What a DAG run asks of the normalization job."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from lineage_core.errors import WrongUsage

BY_ARRIVAL = "by arrival"
BY_EVENT_TIME = "by event time"
MODES = (BY_ARRIVAL, BY_EVENT_TIME)


@dataclass(frozen=True)
class Interval:
    """A span of event time; `start` belongs to it, `end` does not. None at an end leaves it open."""

    start: datetime | None
    end: datetime | None

    def __post_init__(self) -> None:
        if self.start and self.end and not self.start < self.end:
            raise WrongUsage(f"The interval from {self.start} to {self.end} is empty; let `from` be before `to`.")


def job_arguments(run_type: str, data_interval: Interval | None, params: Mapping[str, Any]) -> list[str]:
    """The arguments of the job: a backfill takes its interval, a manual run what its form says, others what arrived."""
    interval = _interval(run_type, data_interval, params)
    if interval is None and params["namespaces"]:
        raise WrongUsage(f"What arrives is always normalized as a whole; choose namespaces in a run {BY_EVENT_TIME}.")
    return [*_interval_arguments(interval), *_common_arguments(params)]


def _interval(run_type: str, data_interval: Interval | None, params: Mapping[str, Any]) -> Interval | None:
    if run_type == "backfill":
        return data_interval
    if run_type == "manual" and params["mode"] == BY_EVENT_TIME:
        return _stated_interval(params)
    return None


def _stated_interval(params: Mapping[str, Any]) -> Interval:
    if not (params["from"] or params["to"]):
        raise WrongUsage(f"A run {BY_EVENT_TIME} needs `from`, `to` or both; trigger it again with one.")
    return Interval(_moment(params["from"]), _moment(params["to"]))


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None


def _interval_arguments(interval: Interval | None) -> list[str]:
    if interval is None:
        return []
    ends = (("--from", interval.start), ("--to", interval.end))
    return [word for option, end in ends if end is not None for word in (option, end.isoformat())]


def _common_arguments(params: Mapping[str, Any]) -> list[str]:
    namespaces = [word for namespace in params["namespaces"] for word in ("--namespace", namespace)]
    slice_bytes = ["--slice-bytes", str(params["slice_bytes"])] if params["slice_bytes"] else []
    return [*namespaces, *slice_bytes]
