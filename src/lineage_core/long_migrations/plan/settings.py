"""What an operator may set of a long migration, also while it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, get_type_hints

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.plan.holds import Limits
from lineage_core.long_migrations.plan.pace import Bounds


@dataclass(frozen=True)
class Settings:
    """target_seconds: what a transaction should take. start_rows, smallest_rows, largest_rows: its rows, at first, at
    least and at most. nice: seconds to rest for each second of work. lock_timeout_ms, statement_timeout_ms: when a
    transaction gives up. hold_seconds: how long a hold lasts before the server is looked at again. check_seconds: how
    often it is looked at. The largest_ ones after these, and waits_for_vacuum, are limits of holds; 0 leaves one out of
    account. hold_query: the name of a stored query whose one value, true or above 0, holds the migration, or nothing.
    largest_quarantine: how many rows may fail, each alone, until it is hardly the rows; 0 if any number may.
    """

    target_seconds: float = 0.1
    start_rows: int = 100
    smallest_rows: int = 100
    largest_rows: int = 50_000
    nice: float = 0.0
    lock_timeout_ms: int = 150
    statement_timeout_ms: int = 5_000
    hold_seconds: float = 10.0
    check_seconds: float = 5.0
    largest_wal_rate: float = 200.0 * 1024 * 1024
    largest_archive_queue: int = 42
    largest_replication_lag: float = 10.0
    largest_transaction_age: float = 600.0
    largest_active_sessions: int = 0
    largest_quarantine: int = 100
    waits_for_vacuum: bool = True
    hold_query: str = ""

    @property
    def bounds(self) -> Bounds:
        return Bounds(self.target_seconds, self.smallest_rows, self.largest_rows)

    @property
    def limits(self) -> Limits:
        return Limits(
            self.largest_wal_rate or None,
            self.largest_archive_queue or None,
            self.largest_replication_lag or None,
            self.waits_for_vacuum,
            self.largest_transaction_age or None,
            self.largest_active_sessions or None,
        )


DEFAULTS = Settings()
_TYPES = get_type_hints(Settings)
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_MAY_BE_ZERO = {"nice", "lock_timeout_ms", "statement_timeout_ms"} | {
    field.name for field in fields(Settings) if field.name.startswith("largest_") and field.name != "largest_rows"
}


def changed(settings: Settings, name: str, text: str) -> Settings:
    """The settings with one more, given as text. Raises WrongUsage if there is none of the name, or no such value."""
    if name not in _TYPES:
        raise WrongUsage(f"There is no setting {name!r}; there are {', '.join(sorted(_TYPES))}")
    return replace(settings, **{name: _value(name, text)})


def to_json(settings: Settings) -> dict[str, Any]:
    """Only what differs from the defaults, so that these may change with a release."""
    defaults = asdict(DEFAULTS)
    return {name: value for name, value in asdict(settings).items() if value != defaults[name]}


def from_json(stored: Mapping[str, Any]) -> Settings:
    return replace(DEFAULTS, **{name: value for name, value in stored.items() if name in _TYPES})


def _value(name: str, text: str) -> Any:
    wanted = _TYPES[name]
    if wanted is str:
        return _name(name, text)
    if wanted is bool:
        return _boolean(name, text)
    try:
        number = wanted(text)
    except ValueError as error:
        raise WrongUsage(f"{name} is a number, not {text!r}") from error
    if not 0 <= number < float("inf") or (number == 0 and name not in _MAY_BE_ZERO):
        raise WrongUsage(f"{name} must be {'0 or more' if name in _MAY_BE_ZERO else 'more than 0'}, not {text}")
    return number


def is_name(text: str) -> bool:
    """Whether something that is stored to be chosen by name may be called so."""
    return _NAME.fullmatch(text) is not None


def _name(setting: str, text: str) -> str:
    if text and not is_name(text):
        raise WrongUsage(
            f"{setting} is the name of a stored query, or empty, not {text[:80]!r}; `lineage migration hold-query list`"
            " shows which there are"
        )
    return text


def _boolean(name: str, text: str) -> bool:
    if text not in ("true", "false"):
        raise WrongUsage(f"{name} is true or false, not {text!r}")
    return text == "true"
