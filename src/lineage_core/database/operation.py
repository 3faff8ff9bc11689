"""What operators ask of the database: the health of its server and its logins, and how large the store is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from functools import partial

from lineage_core.capability import AskedStore, CheckedPlaces, HealthCheck, StatusTopic, UpgradeStep, by_statement
from lineage_core.database.store import differences
from lineage_core.declare.tables import all_tables
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import APPLICATION
from lineage_core.postgres.trigrams import make_missing, missing_indexes
from lineage_core.postgres.typed_rows import every_value, one_value


def logins(looked: CheckedPlaces, *, needs_person: bool) -> list[str]:
    """Logins whose rights do not fit their role: faults, or what is only worth a note."""
    about = {
        "tables": [table.name for table in all_tables()],
        "lease_session": APPLICATION,
        "needs_person": needs_person,
    }
    return every_value(looked.connection, str, "database/checks/logins", about)


LOGINS = HealthCheck(
    "logins",
    partial(logins, needs_person=True),
    "Change it by ALTER ROLE or GRANT: a login inherits the rights of its role, and has none above them.",
)
"""Logins that cannot do what their role may, or that are above all rights."""

BROAD_LOGINS = HealthCheck(
    "broad_logins",
    partial(logins, needs_person=False),
    "A login of its own for each part, with one role, does less harm when it is stolen: each a member of one of"
    " lineage_ingest, lineage_jobs, lineage_reader and lineage_operator.",
    needs_person=False,
)
"""Logins that may do more than the work of one part."""

MOST_CLOCK_SKEW_SECONDS = 5.0


def _skew(looked: CheckedPlaces) -> Iterator[str]:
    before = datetime.now(UTC)
    there = one_value(looked.connection, datetime, "database/checks/clock")
    skew = (there - before).total_seconds()
    if abs(skew) > MOST_CLOCK_SKEW_SECONDS:
        place = "ahead of" if skew > 0 else "behind"
        yield f"The clock of the server is {abs(skew):,.0f} s {place} that of this machine"


CLOCK = HealthCheck(
    "clock", _skew, "Let both machines keep time by NTP: which event is newer, and what is old, follows from clocks."
)
"""A clock of this machine that is not the server's."""

LEASES = HealthCheck(
    "leases",
    by_statement("database/checks/leases"),
    "A run by event time moves no watermark. Any other hangs: end its process, and the next run goes on where it was.",
)
"""Leases whose holder lives, but does nothing."""

OLD_TRANSACTIONS = HealthCheck(
    "old_transactions",
    by_statement("database/checks/old_transactions"),
    "End it if it is not needed: until then, the space of deleted rows cannot be used again in the whole database.",
)
"""Transactions that stay open."""


def _differences(looked: CheckedPlaces) -> Iterator[str]:
    found = differences(looked.store, looked.upgrade_steps)
    if found:
        yield f"{len(found)} differences from the declarations, the first: {found[0]}"


SCHEMA = HealthCheck(
    "schema",
    _differences,
    "`lineage db check` shows them all; `lineage db upgrade` runs what is waiting.",
    only_reads=False,
)
"""A database that differs from the declarations."""

SEQUENCES = HealthCheck(
    "sequences",
    by_statement("database/checks/sequences"),
    "Somebody has set it, as the store never comes near. ALTER SEQUENCE … RESTART behind the highest number in use.",
)
"""Sequences near their end."""

SERVER_SETTINGS = HealthCheck(
    "server_settings",
    by_statement("database/checks/server_settings"),
    "Set it back in postgresql.conf, and reload or restart Postgres.",
)
"""Settings of Postgres that lose data, or let tables grow without end."""

SIGHT = HealthCheck(
    "sight",
    by_statement("database/checks/sight"),
    "GRANT pg_monitor to it: other checks find nothing there, whatever there is.",
    needs_person=False,
)
"""What the login that looks does not see."""

VACUUM_HORIZON = HealthCheck(
    "vacuum_horizon",
    by_statement("database/checks/vacuum_horizon"),
    "Drop an unused slot (pg_drop_replication_slot), repair the standby, or end what keeps vacuum from work.",
)
"""What holds vacuum, or the server's log, back."""


def _missing_trigrams(connection: Connection) -> list[str]:
    return [f"index {name} is missing or half built, though there is pg_trgm" for name in missing_indexes(connection)]


TRIGRAMS = UpgradeStep(differences=_missing_trigrams, follow_up=make_missing)
"""The indexes of names that the database may have, as pg_trgm is there."""


def _find(store: AskedStore) -> int:
    """Bytes."""
    return one_value(store.connection, int, "database/database_size")


def _lines(found: int, _now: datetime) -> Iterator[tuple[str, str]]:
    yield "size", f"{found / 1e6:,.0f} MB"


def _figures(found: int, _now: datetime) -> Iterator[tuple[str, float]]:
    yield "database.bytes", found


SIZE = StatusTopic("database_bytes", 90, _find, _lines, _figures)
