"""What an operator may set of a long migration, also while it runs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, get_type_hints

from lineage_core.errors import WrongUsage
from lineage_core.long_migrations.decisions.holds import Limits
from lineage_core.long_migrations.decisions.pace import Bounds


@dataclass(frozen=True)
class MigrationSettings:
    """What an operator may set of a long migration. A limit of 0 (`largest_…` of a hold) removes the hold."""

    target_seconds: float = 0.1
    """How long a transaction should take."""
    start_rows: int = 100
    """Rows of the first transaction."""
    smallest_rows: int = 100
    """A transaction takes no fewer rows."""
    largest_rows: int = 50_000
    """A transaction takes no more rows."""
    nice: float = 0.0
    """Seconds to rest for each second of work."""
    lock_timeout_ms: int = 150
    """When a transaction that waits for a lock gives up, in milliseconds."""
    statement_timeout_ms: int = 5_000
    """When a statement is cancelled, in milliseconds."""
    hold_seconds: float = 10.0
    """How long a hold lasts before the server is checked again."""
    check_seconds: float = 5.0
    """How often each worker checks the server."""
    largest_wal_rate: float = 200.0 * 1024 * 1024
    """Holds above so many bytes of the write-ahead log a second."""
    largest_archive_queue: int = 42
    """Holds while more segments of the log wait to be archived."""
    largest_replication_lag: float = 10.0
    """Holds while a standby is more seconds behind."""
    largest_transaction_age: float = 600.0
    """Holds while another transaction is open for more seconds."""
    largest_active_sessions: int = 0
    """Holds while more sessions of others are active."""
    largest_quarantine: int = 100
    """The migration is cancelled when so many rows failed, each alone; 0 if any number may."""
    waits_for_vacuum: bool = True
    """Holds while a vacuum runs on the tables that the migration writes."""
    hold_query: str = ""
    """Name of a stored query; holds while its one value is true or above 0. Empty for none."""

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


DEFAULTS = MigrationSettings()
_TYPES = get_type_hints(MigrationSettings)
_NAME = re.compile(r"[a-z][a-z0-9_-]{0,62}")
_MAY_BE_ZERO = {"nice", "lock_timeout_ms", "statement_timeout_ms"} | {
    field.name
    for field in fields(MigrationSettings)
    if field.name.startswith("largest_") and field.name != "largest_rows"
}


def changed(settings: MigrationSettings, name: str, text: str) -> MigrationSettings:
    """The settings with one more, given as text. Raises WrongUsage if there is none of the name, or no such value."""
    if name not in _TYPES:
        raise WrongUsage(f"There is no setting {name!r}; there are {', '.join(sorted(_TYPES))}")
    return replace(settings, **{name: _value(name, text)})


def changed_as_json(settings: MigrationSettings) -> dict[str, Any]:
    """Only what differs from the defaults, so that these may change with a release."""
    defaults = asdict(DEFAULTS)
    return {name: value for name, value in asdict(settings).items() if value != defaults[name]}


def from_json(stored: Mapping[str, Any]) -> MigrationSettings:
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
