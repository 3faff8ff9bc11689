"""A store of this release is rebuilt of its raw events beside itself: carrying over, with a comparison row by row.

The live store is only read. The new one takes its events, is normalized, takes what is kept, and is compared with the
live one in every table, as of one moment of that. Last, if that is asked for, the databases exchange their names.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from lineage_core.carry_over.procedure import (
    EVENTS_PER_SECOND,
    CarriedOver,
    CarriedStore,
    CarryStep,
    ShownWork,
    finish,
    named_stores,
    normalized,
)
from lineage_core.carry_over.store import archived_events, counts, databases, events, kept_anew
from lineage_core.carry_over.store.counts import RawEvents
from lineage_core.carry_over.store.databases import beside, database_of
from lineage_core.carry_over.store.events import ALL, NEEDED, PASSED
from lineage_core.carry_over.store.purged import purge_likewise
from lineage_core.carry_over.store.row_differences import RowDifference, compared_tables, row_differences, snapshot
from lineage_core.errors import NeedsOperator
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.group_roles import prefix
from lineage_core.postgres.migration_files import refuse_other_release
from lineage_core.postgres.replaced_tables import replaced_tables
from lineage_core.postgres.store import Store
from lineage_core.retention.archived_sets import ArchivedSet
from lineage_core.tasks import TaskRunner


@dataclass(frozen=True)
class RebuildPlan:
    """What there is to do, and what it takes. archived_months: those of which raw events are in archives alone."""

    database: str
    into: str
    events: RawEvents
    archived_events: int
    database_bytes: int
    seconds: float
    archived_months: tuple[str, ...]
    left_behind: tuple[str, ...]


@dataclass(frozen=True)
class RebuiltStore:
    """What became of it. waiting: raw events of the live store that were not normalized there at the moment of the
    comparison: the new store takes them once it is in place."""

    events: int
    archived: int
    waiting: int
    tables: int
    differences: tuple[RowDifference, ...]
    remarks: tuple[str, ...]


def chosen(store: Store, into: str | None) -> CarriedStore:
    """The live store, and where the new one is made. After the exchange of names, `store` is the new one.

    Raises SchemaDiffers for a store of another release, and for one that has to be carried over.
    """

    def refuse_others() -> None:
        with store.connect() as connection:
            refuse_other_release(connection)

    return named_stores(store, into, refuse_others)


def plan(stores: CarriedStore, archived: Sequence[ArchivedSet]) -> RebuildPlan:
    """What rebuilding would do. It only reads."""
    found = counts.raw_events(stores.earlier)
    others = sum(one.manifest.rows for one in archived)
    given = {one.manifest.month for one in archived}
    return RebuildPlan(
        stores.name,
        stores.into,
        found,
        others,
        database_of(stores.earlier).bytes,
        (found.number + others) / EVENTS_PER_SECOND,
        tuple(month for month in counts.archived_months(stores.earlier) if month not in given),
        (*kept_anew.left_behind(stores.earlier), *_unknown(stores.earlier)),
    )


def rebuild(
    stores: CarriedStore, archived: Sequence[ArchivedSet], runner: TaskRunner, shown: ShownWork
) -> RebuiltStore:
    """Makes the new store, or goes on with it, and compares. The live one is only read, and goes on.

    First all is taken that is there, however long that takes. Then what has come since is, as of one moment, and as of
    that moment the stores are compared.
    """
    archived_events.refuse_unreadable(archived)
    _begin(stores)
    with stores.earlier.connect(autocommit=True) as reading:
        first = _take(stores, reading, archived, runner, shown)
    with snapshot(stores.earlier) as reading:
        last = _take(stores, reading, archived, runner, shown)
        shown.tell("Comparing.")
        differences = row_differences(reading, stores.new, events.passed(), partial(shown.count, CarryStep.COMPARE))
        return RebuiltStore(
            first.events + last.events,
            first.archived + last.archived,
            events.waiting(reading),
            len(compared_tables()),
            tuple(differences),
            last.remarks,
        )


def switch(stores: CarriedStore, runner: TaskRunner, shown: ShownWork, *, ends_sessions: bool = False) -> CarriedOver:
    """Lets the new store, which was compared, have the name of the live one, and takes what came in meanwhile.

    What was set while it was compared comes along. ends_sessions: ends those that others have, who connect again to the
    new store. Without it, raises TryAgain while anybody is connected; NeedsOperator if this login may not rename.
    """
    aside = f"{stores.name}_earlier"
    if databases.exists(stores.earlier, aside):
        raise NeedsOperator(f"There is a database {aside} already; rename or drop it first")
    with stores.earlier.connect(autocommit=True) as reading:
        _take(stores, reading, (), runner, shown)
    databases.swap(stores.earlier, stores.name, stores.into, aside, ends_sessions=ends_sessions)
    shown.tell(f"{stores.name} is the new store now, {aside} the earlier one.")
    old, new = beside(stores.earlier, aside), beside(stores.earlier, stores.name)
    return finish(CarriedStore(old, new, aside, stores.name, is_in_place=True), runner, shown)


@dataclass(frozen=True)
class _Taken:
    events: int
    archived: int
    remarks: tuple[str, ...]


def _take(
    stores: CarriedStore, reading: Connection, archived: Sequence[ArchivedSet], runner: TaskRunner, shown: ShownWork
) -> _Taken:
    """Brings the new store to what `reading` sees of the live one. Each step may be repeated."""
    new = stores.new
    kept_anew.begin(reading, new)
    which = NEEDED if counts.has_horizons(reading) else ALL
    shown.tell("Copying raw events.")
    restored = archived_events.take(reading, new, archived, NEEDED)
    copied = events.copy_events(reading, new, which, partial(shown.count, CarryStep.COPY), PASSED)
    normalized(new, runner, shown)
    shown.tell("Deleting what retention has deleted.")
    purge_likewise(reading, new)
    kept_anew.protect(reading, new)
    restored += archived_events.take(reading, new, archived, ALL)
    normalized(new, runner, shown)
    archived_events.leave(new)
    shown.tell("Looking for events that are not copied yet.")
    copied += events.copy_missing(reading, new, PASSED)
    normalized(new, runner, shown)
    return _Taken(copied, restored, tuple(kept_anew.end(reading, new)))


def _begin(stores: CarriedStore) -> None:
    """The new store, empty or as far as it is, with the group roles of the live one."""
    if not databases.exists(stores.earlier, stores.into):
        databases.make_database(stores.earlier, stores.into)
    databases.begin(stores.new, database_of(stores.earlier))
    with stores.earlier.connect() as connection:
        role_prefix, has_old_mapping = prefix(connection), not replaced_tables(connection)
    is_made = "lineage_events" in _tables(stores.new)
    whole_store.upgrade(stores.new, role_prefix or None, with_old_mapping=has_old_mapping and not is_made)
    databases.close_like(stores.earlier, stores.new)


def _tables(store: Store) -> set[str]:
    with store.connect() as connection:
        return counts.relations(connection)


def _unknown(store: Store) -> list[str]:
    return [f"{table} is none of this release's tables, and stays behind." for table in counts.unknown_tables(store)]
