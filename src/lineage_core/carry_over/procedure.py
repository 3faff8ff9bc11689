"""An earlier store, which no upgrade fits, becomes one of this release, in a database of its own beside it.

The earlier store is only read. The tables follow from the events (law 1), so they are made anew of them. Each step may
be repeated, and goes on where it was interrupted. Last, if that is asked for, the databases exchange their names.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from typing import Protocol

from lineage_core.carry_over.store import counts, databases, events, kept
from lineage_core.carry_over.store.counts import RawEvents, RowCounts
from lineage_core.carry_over.store.databases import beside, database_of
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.normalize.normalization import NormalizationOutcome, normalize
from lineage_core.normalize.operation import waiting_events
from lineage_core.normalize.slices import Slice
from lineage_core.operate import whole_store
from lineage_core.postgres.group_roles import prefix
from lineage_core.postgres.migration_files import is_earlier
from lineage_core.postgres.store import Store
from lineage_core.tasks import TaskRunner

EVENTS_PER_SECOND = 1_500
"""That are copied, normalized and compared on four cores (benchmarks/README.md), for a word on how long it takes."""


class CarryStep(StrEnum):
    """What takes long, as it is shown."""

    COPY = "copy"
    NORMALIZE = "normalize"
    COMPARE = "compare"


class ShownWork(Protocol):
    """Whoever looks at the work while it goes on."""

    def tell(self, sentence: str) -> None:
        """A step begins or ends."""

    def count(self, step: CarryStep, done: float, total: float | None = None) -> None:
        """How much of a step is done, and of how much: events, or tables that are compared."""


@dataclass(frozen=True)
class CarriedStore:
    """An earlier store, and the one that is made of it."""

    earlier: Store
    new: Store
    name: str
    """Of the database of the earlier one."""
    into: str
    """Of the database of the new one."""
    is_in_place: bool = False
    """Whether people and programs work on the new one already."""


@dataclass(frozen=True)
class CarryPlan:
    """What there is to do, and what it takes."""

    database: str
    into: str
    events: RawEvents
    database_bytes: int
    seconds: float
    archived_months: tuple[str, ...]
    left_behind: tuple[str, ...]


@dataclass(frozen=True)
class CarriedOver:
    """What became of it."""

    events: int
    quarantined: int
    expired: int
    too_long: int
    tables: tuple[RowCounts, ...]
    remarks: tuple[str, ...]

    @property
    def differing(self) -> list[RowCounts]:
        return [counted for counted in self.tables if counted.earlier != counted.new]


def chosen(store: Store, into: str | None) -> CarriedStore:
    """The earlier store, and where the new one is made. After the exchange of names, `store` is the new one.

    Raises WrongUsage if the store is no earlier one, and was made of none.
    """

    def refuse_others() -> None:
        with store.connect() as connection:
            if not is_earlier(connection):
                raise WrongUsage(
                    f"The database {connection.info.dbname} holds no store that an upgrade does not fit, so there is"
                    " nothing to carry over; `lineage db upgrade` makes a store, or brings it up to date"
                )

    return named_stores(store, into, refuse_others)


def named_stores(store: Store, into: str | None, refuse_unfit: Callable[[], None]) -> CarriedStore:
    """Of which store a new one is made, and where; or the one of which `store` was made, once it is in place.

    refuse_unfit: raises WrongUsage for a store of which no new one is made. Raises WrongUsage if the other is gone.
    """
    database = database_of(store)
    source = databases.source_of(store)
    if source is not None:
        name = databases.name_of(store, source)
        if name is None:
            raise WrongUsage("The earlier store is gone, so there is nothing left to carry over")
        return CarriedStore(beside(store, name), store, name, database.name, is_in_place=True)
    refuse_unfit()
    wanted = into or f"{database.name}_new"
    if wanted == database.name:
        raise WrongUsage(f"The new store needs a database beside {database.name}")
    return CarriedStore(store, beside(store, wanted), database.name, wanted)


def plan(stores: CarriedStore) -> CarryPlan:
    """What carrying over would do. It only reads."""
    found = counts.raw_events(stores.earlier)
    return CarryPlan(
        stores.name,
        stores.into,
        found,
        database_of(stores.earlier).bytes,
        found.number / EVENTS_PER_SECOND,
        tuple(counts.archived_months(stores.earlier)),
        (*kept.left_behind(stores.earlier), *_unknown(stores.earlier)),
    )


def carry_over(stores: CarriedStore, runner: TaskRunner, shown: ShownWork) -> CarriedOver:
    """Makes the new store, or goes on with it, and compares. What has come since the last time is taken, too.

    Once the new store is in place, only events are taken: people may have changed the rest.
    """
    earlier, new = stores.earlier, stores.new
    _begin(stores)
    takes_all = not stores.is_in_place
    remarks = [*kept.keep_tables(earlier, new), *kept.returning_runs(earlier)] if takes_all else []
    too_long = events.quarantine_unfit(earlier, new)
    shown.tell("Copying raw events.")
    which = events.CERTAIN if counts.tells_expired_events(earlier) else events.ALL
    with earlier.connect(autocommit=True) as reading:
        copied = events.copy_events(reading, new, which, partial(shown.count, CarryStep.COPY))
    outcomes = [normalized(new, runner, shown)]
    remarks += kept.keep_horizons(earlier, new) if takes_all else []
    copied += _copy_rest(stores, shown)
    outcomes.append(normalized(new, runner, shown))
    remarks += _marked(earlier, new) if takes_all else []
    shown.tell("Comparing.")
    return CarriedOver(
        copied,
        sum(outcome.quarantined for outcome in outcomes),
        sum(outcome.expired for outcome in outcomes),
        too_long,
        tuple(counts.counted(earlier, new, partial(shown.count, CarryStep.COMPARE))),
        tuple(remarks),
    )


def swap(stores: CarriedStore, runner: TaskRunner, shown: ShownWork) -> CarriedOver:
    """Carries over what is left, lets the databases exchange their names, and takes what came in meanwhile.

    Raises TryAgain while anybody is connected to one of them, NeedsOperator if this login may not rename them.
    """
    aside = f"{stores.name}_earlier"
    carry_over(stores, runner, shown)
    if databases.exists(stores.earlier, aside):
        raise NeedsOperator(f"There is a database {aside} already; rename or drop it first")
    databases.swap(stores.earlier, stores.name, stores.into, aside)
    shown.tell(f"{stores.name} is the new store now, {aside} the earlier one.")
    old, new = beside(stores.earlier, aside), beside(stores.earlier, stores.name)
    return finish(CarriedStore(old, new, aside, stores.name, is_in_place=True), runner, shown)


def finish(stores: CarriedStore, runner: TaskRunner, shown: ShownWork) -> CarriedOver:
    """When the new store is in place: takes what came in meanwhile, and forgets how it was made."""
    done = carry_over(stores, runner, shown)
    databases.end(stores.new)
    return done


def _begin(stores: CarriedStore) -> None:
    """The new store, empty or as far as it is. Its group roles are those of the earlier one, which it shares until that
    is dropped."""
    if not databases.exists(stores.earlier, stores.into):
        databases.make_database(stores.earlier, stores.into)
    databases.begin(stores.new, database_of(stores.earlier))
    with stores.earlier.connect() as connection:
        role_prefix = prefix(connection)
    whole_store.upgrade(stores.new, role_prefix or None)
    databases.close_like(stores.earlier, stores.new)


def _copy_rest(stores: CarriedStore, shown: ShownWork) -> int:
    shown.tell("Looking for events that are not copied yet.")
    with stores.earlier.connect(autocommit=True) as reading:
        return events.copy_missing(reading, stores.new)


def _marked(earlier: Store, new: Store) -> list[str]:
    with earlier.connect() as reading, new.connect() as writing:
        return kept.keep_marks(reading, writing)


def normalized(new: Store, runner: TaskRunner, shown: ShownWork) -> NormalizationOutcome:
    """Makes the tables of the new store of the events that it has."""
    waiting = waiting_events(new)

    def tell(_slice: Slice, so_far: NormalizationOutcome) -> None:
        shown.count(CarryStep.NORMALIZE, so_far.taken, waiting)

    return normalize(new, runner, progress=tell)


def _unknown(earlier: Store) -> list[str]:
    return [f"{table} is none of this release's tables, and stays behind." for table in counts.unknown_tables(earlier)]
