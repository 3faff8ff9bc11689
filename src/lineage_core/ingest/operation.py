"""What operators ask of what arrives: its health, and how much came. An upgrade makes partitions for it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta

from lineage_core.capability import AskedStore, CheckedPlaces, HealthCheck, StatusTopic, UpgradeStep, by_statement
from lineage_core.errors import LineageError
from lineage_core.ingest.spool import Spool
from lineage_core.ingest.store import MONTHS_AHEAD, ensure_event_partitions
from lineage_core.postgres.store import Store, this_database
from lineage_core.postgres.typed_rows import every_value, one_row, one_value


def _in_default_partition(looked: CheckedPlaces) -> list[str]:
    statement = "ingest/checks/default_partition"
    return every_value(looked.connection, str, statement, {"months_ahead": MONTHS_AHEAD})


DEFAULT_PARTITION = HealthCheck(
    "default_partition",
    _in_default_partition,
    "Run `lineage normalize`, which moves events for some seconds; if none move, see who has locks on lineage_events.",
)
"""Raw events that stay in the default partition, though they should have moved to one of their month."""

EVENT_PARTITIONS = HealthCheck(
    "event_partitions",
    by_statement("ingest/checks/event_partitions"),
    "`lineage db upgrade` makes them; every normalization run should, so see why none did.",
)
"""Months of raw events without a partition of their own."""

HELD_ARRIVALS = HealthCheck(
    "held_arrivals",
    by_statement("ingest/checks/held_arrivals"),
    "Let it commit (or COMMIT PREPARED): a later run then finds its events. If it is rolled back, they are not stored.",
)
"""Raw events that no reader sees, as the transaction that wrote them has not ended."""


def _fault_of_ingest_login(looked: CheckedPlaces) -> Iterator[str]:
    if looked.ingest_store is None or looked.ingest_store == looked.store:
        return
    try:
        with looked.ingest_store.connect(application_name="lineage doctor") as connection:
            there = this_database(connection)
            may_insert = one_value(connection, bool, "ingest/checks/ingest_login")
    except LineageError as error:
        yield f"LINEAGE_INGEST_DSN leads nowhere: {str(error).rstrip('.')}"
        return
    if there != this_database(looked.connection):
        yield "LINEAGE_INGEST_DSN names another database than LINEAGE_DSN"
    elif not may_insert:
        yield "The login of LINEAGE_INGEST_DSN may not add events"


INGEST_LOGIN = HealthCheck(
    "ingest_login",
    _fault_of_ingest_login,
    "Airflow's events wait in the spool until it is right: both settings name one database, and the login has the role"
    " lineage_ingest.",
)
"""A login of the transport that cannot add events, or adds them elsewhere."""

LOST_EVENTS = HealthCheck(
    "lost_events",
    by_statement("ingest/checks/lost_events"),
    "Somebody has dropped the partition, or deleted its rows. Attach it again from a backup, or ingest these events"
    " again: the tables keep what they have, but a replay and an archive miss them.",
)
"""Months whose raw events are gone, though they are not archived."""


def _in_spool(looked: CheckedPlaces) -> Iterator[str]:
    since = Spool(looked.spool).oldest()
    if since is not None and not is_stuck(since):
        yield f"Events wait in the spool {looked.spool}, which no reader of the store sees"


SPOOL = HealthCheck("spool", _in_spool, "`lineage ingest` stores them.", needs_person=False)
"""Events that the store has not taken yet."""

LONGEST_IN_SPOOL = timedelta(minutes=30)
"""The next event takes along what waits, and the schedule alone sends some every ten minutes."""


def is_stuck(since: datetime) -> bool:
    return datetime.now(UTC) - since > LONGEST_IN_SPOOL


def _stuck_in_spool(looked: CheckedPlaces) -> Iterator[str]:
    since = Spool(looked.spool).oldest()
    if since is not None and is_stuck(since):
        yield f"Events have waited in the spool {looked.spool} since {since:%Y-%m-%d %H:%M} UTC"


STUCK_SPOOL = HealthCheck(
    "stuck_spool",
    _stuck_in_spool,
    "`lineage ingest` stores them, or says why it cannot. Airflow's log of tasks says what the transport met.",
)
"""Events that Airflow's transport does not bring into the store: it is broken, or no event came after them.

No event tells of that, as it would have to travel the same way.
"""


@dataclass(frozen=True)
class Arrivals:
    """Events that arrived in the last hour and day, whenever they happened."""

    last_hour: int
    last_day: int


def _find(store: AskedStore) -> Arrivals:
    return one_row(store.connection, Arrivals, "ingest/status/arrivals")


def _lines(found: Arrivals, _now: datetime) -> Iterator[tuple[str, str]]:
    yield "arrivals", f"{found.last_hour:,} in the last hour, {found.last_day:,} in the last day"


ARRIVALS = StatusTopic("arrivals", 30, _find, _lines)


def _make_partitions(store: Store) -> list[str]:
    made = ensure_event_partitions(store)
    return [f"Partitions of lineage_events were missing, and are made: {', '.join(made)}."] if made else []


PARTITIONS_AT_UPGRADES = UpgradeStep(follow_up=_make_partitions)
