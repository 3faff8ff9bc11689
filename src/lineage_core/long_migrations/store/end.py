"""How a long migration ends: cancelled; or tidied up, verified, its readers switched over, the old dropped."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import psycopg
from psycopg import sql

from lineage_core import statements
from lineage_core.acts.store import record
from lineage_core.declare.vocabulary import DeclarationError
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.long_migrations.decisions.states import check_command, is_so_already
from lineage_core.long_migrations.declared import Comparison, LongMigration, Replacement, long_migration
from lineage_core.long_migrations.store.indexes import bring_back, missing
from lineage_core.long_migrations.store.records import MigrationRecord, keyed, move, planned, stop_work
from lineage_core.long_migrations.tables import State
from lineage_core.normalize.store.event_choices import WATERMARK
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.group_roles import prefix, with_prefix
from lineage_core.postgres.leases import Lease, attempts, fence, held_lease, keep_brief
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, execute, one_value, row_of_script, row_or_none
from lineage_core.render import access

TIDIED, VERIFIED = 1_000, 5_000
"""Rows that one transaction tidies up, or compares."""

LOCK_TIMEOUT_MS = 40
"""The drop takes four locks, one after the other, and whoever comes meanwhile waits for all of them."""
DROP_ATTEMPTS = 100


RowsProgress = Callable[[int, int | None], object]
"""Called with how many rows were looked at, after each transaction, and with how many there are, if that is known."""


def _unseen(_rows: int, _total: int | None) -> None:
    """Where no one looks how far the work is."""


@dataclass(frozen=True)
class Verification:
    """What readers see of all rows, by what is replaced and by what replaces it."""

    compared: Comparison
    """What the migration declares."""
    sums: Mapping[str, int]
    """What that counts, in its order."""
    in_quarantine: int = 0
    """Rows that differ because the migration could not work on them."""
    accepted: int = 0
    """Those of them that somebody has accepted."""
    unexplained: int = 0
    """All others that differ. The next verification finds them in quarantine."""
    examples: tuple[str, ...] = ()
    """The first of the unexplained ones."""

    @property
    def is_good(self) -> bool:
        return self.unexplained == 0 and self.in_quarantine == 0

    @property
    def sentences(self) -> str:
        """What an operator reads of the sums, without its last full stop."""
        return self.compared.sentences.format_map(self.sums)

    def plus(self, other: Verification) -> Verification:
        """With what another chunk has shown."""
        return Verification(
            self.compared,
            {name: number + other.sums[name] for name, number in self.sums.items()},
            self.in_quarantine + other.in_quarantine,
            self.accepted + other.accepted,
            self.unexplained + other.unexplained,
            (*self.examples, *other.examples)[:5],
        )

    def to_json(self) -> dict[str, Any]:
        """All numbers side by side."""
        beside = {name: value for name, value in vars(self).items() if name not in ("compared", "sums")}
        return {**self.sums, **beside}


@dataclass(frozen=True)
class _ChunkComparison:
    """What one chunk has shown, and the key that it ends with; None at the end."""

    last: str | None
    found: Verification


def _compared(
    migration: str,
    comparison: Comparison,
    /,
    *,
    last: str | None,
    in_quarantine: int,
    accepted: int,
    unexplained: int,
    examples: list[str] | None,
    **sums: Any,
) -> _ChunkComparison:
    """Sums of bigints are numerics, which come as decimals."""
    if sums.keys() != {*comparison.sums}:
        raise DeclarationError(
            f"`verify` of {migration!r} gives {', '.join(sorted(sums))}, and its declaration compares"
            f" {', '.join(sorted(comparison.sums))}"
        )
    numbers = {name: int(sums[name]) for name in comparison.sums}
    found = Verification(
        comparison, numbers, int(in_quarantine), int(accepted), int(unexplained), tuple(examples or ())
    )
    return _ChunkComparison(last, found)


@dataclass(frozen=True)
class _TidyOutcome:
    """How many rows went, and the key that a chunk ends with; None at the end."""

    last: str | None
    removed: int


@dataclass(frozen=True)
class _QuarantineCount:
    """How many rows are in quarantine, and the first of them."""

    number: int
    key: str
    error: str


@dataclass(frozen=True)
class Sizes:
    """Bytes on disk of what is replaced and of the tables that replace it, indexes included."""

    replaced: int
    replacing: int


def cancel(store: Store, name: str, progress: RowsProgress = _unseen) -> None:
    """Ends the migration; what is done stays done, and planning it anew finds it so.

    Raises NeedsOperator if it is cancelled, but an index is set aside which this login cannot build again.
    """
    migration = long_migration(name)
    stop_work(store, name)
    if migration.costly:
        _settled(store, migration, progress)


def finalize(store: Store, name: str, progress: RowsProgress = _unseen) -> int:
    """Builds the indexes that were set aside, and removes what the migration left behind; how many rows that were.

    Raises NeedsOperator while something is in quarantine that is not accepted, and where an index is to be built
    which this login cannot; TryAgain if the migration was planned again meanwhile.
    """
    migration = long_migration(name)
    with store.session("lineage_jobs") as connection:
        check_command("finalize", name, planned(connection, name).state)
        _refuse_quarantined(connection, name)
    removed = _settled(store, migration, progress)
    with store.session("lineage_jobs") as connection:
        check_command("finalize", name, planned(connection, name).state)
        if missing(connection, migration):
            raise TryAgain(f"The migration {name!r} was planned again meanwhile, and ran; finalize it once more")
        move(connection, name, State.FINALIZED, f"{removed} removed")
        record(connection, store, "migration finalize", name, f"{State.FINALIZED.value}, {removed} removed")
    return removed


def verify(store: Store, name: str, progress: RowsProgress = _unseen) -> Verification:
    """Compares, and keeps the result; whether it is good decides what may come next.

    What differs is in quarantine from then on, with what differs, where `accept` can take what no run mends.
    """
    migration, replacement = _switching(name)
    with store.session("lineage_jobs") as connection:
        check_command("verify", name, planned(connection, name).state)
    found = _all_compared(store, migration, replacement.compared, progress)
    with store.session("lineage_jobs") as connection:
        check_command("verify", name, planned(connection, name).state)
        kept = {"migration": name, "verification": json.dumps(found.to_json()), "is_good": found.is_good}
        execute(connection, "long_migrations/keep_verification", kept)
    return found


def cut_over(store: Store, name: str) -> None:
    """Lets readers read what replaces the old from their next statement on.

    Raises NeedsOperator before a good verification.
    """
    _switching(name)
    with store.session("lineage_jobs") as connection:
        known = planned(connection, name)
        check_command("cutover", name, known.state)
        _refuse_unverified(known, name)
        _switch(connection, name, State.CUT_OVER, reads_new=True)
        record(connection, store, "migration cutover", name, State.CUT_OVER.value)


def roll_back(store: Store, name: str) -> None:
    """Lets readers read the old again, which is still written."""
    _switching(name)
    with store.session("lineage_jobs") as connection:
        check_command("rollback", name, planned(connection, name).state)
        _switch(connection, name, State.FINALIZED, reads_new=False)
        record(connection, store, "migration rollback", name, "rolled back")


def drop(store: Store, name: str, progress: RowsProgress = _unseen) -> tuple[Sizes, Sizes] | None:
    """Drops what is replaced, and puts a view of its name in its place; sizes before and after.

    None if it was dropped already. Only its owner may. It verifies once more, as nothing can be verified afterwards,
    and raises NeedsOperator if that fails. It waits for readers a little at a time, so that no one has to wait behind
    it.
    """
    migration, replacement = _switching(name)
    with store.session("lineage_jobs") as connection:
        state = planned(connection, name).state
        if is_so_already("drop", state):
            return None
        check_command("drop", name, state)
    verify(store, name, progress)
    for _ in attempts(DROP_ATTEMPTS):
        sizes = _dropped(store, migration, replacement)
        if sizes is not None:
            return sizes
    raise TryAgain(
        f"Others have used {replacement.table} all the time, so that it could not be dropped; {name!r} stays"
    )


def _switching(name: str) -> tuple[LongMigration, Replacement]:
    migration = long_migration(name)
    if migration.replaces is None:
        raise WrongUsage(f"The migration {name!r} replaces nothing that readers read, so it ends with `finalize`")
    return migration, migration.replaces


def _refuse_unverified(known: MigrationRecord, name: str) -> None:
    if known.verified_at is None:
        raise NeedsOperator(
            f"The migration {name!r} is not verified; `lineage migration verify {name}` has to succeed first"
        )


def _refuse_quarantined(connection: Connection, name: str) -> None:
    held = row_or_none(connection, _QuarantineCount, "long_migrations/first_in_quarantine", {"migration": name})
    if held is not None:
        raise NeedsOperator(
            f"{held.number} rows of {name!r} are in quarantine, such as {held.key}: {held.error}. Repair them, then"
            f" `lineage migration retry {name}` and run it again; what can never be repaired may stay as it is by"
            f" `lineage migration accept {name} KEY --why TEXT`"
        )


def _settled(store: Store, migration: LongMigration, progress: RowsProgress) -> int:
    """The store with all its indexes, and without what nothing refers to; how many rows went.

    Live normalization waits for the removal, as it may refer anew to what nothing refers to.
    """
    bring_back(store, migration)
    removed = looked_at = 0
    with held_lease(store, WATERMARK) as lease, store.session("lineage_jobs") as connection:
        after: str | None = ""
        while after is not None:
            tidied = _tidied(connection, lease, migration, after or None)
            after = _behind(connection, migration, after or None, tidied.last)
            removed += tidied.removed
            looked_at += TIDIED
            progress(looked_at, None)
    return removed


def _tidied(connection: Connection, lease: Lease, migration: LongMigration, after: str | None) -> _TidyOutcome:
    script = f"long_migrations/{migration.name}/tidy"
    with connection.transaction():
        fence(connection, lease)
        return row_of_script(connection, _TidyOutcome, script, {"after": after, "rows": TIDIED})


def _all_compared(
    store: Store, migration: LongMigration, comparison: Comparison, progress: RowsProgress
) -> Verification:
    """Chunk by chunk, each of one statement: what is written meanwhile is written to both."""
    script = f"long_migrations/{migration.name}/verify"
    make = partial(_compared, migration.name, comparison)
    found, after = Verification(comparison, dict.fromkeys(comparison.sums, 0)), None
    compared = 0
    with store.session("lineage_jobs", autocommit=True) as connection:
        total = one_value(connection, int, keyed("long_migrations/count_rows", migration))
        while True:
            chunk = row_of_script(connection, make, script, {"after": after, "rows": VERIFIED})
            after = _behind(connection, migration, after, chunk.last)
            if after is None:
                return found
            found = found.plus(chunk.found)
            compared += VERIFIED
            progress(compared, total)


def _behind(connection: Connection, migration: LongMigration, after: str | None, last: str | None) -> str | None:
    """The key that a chunk ends with, None at the end."""
    if after is None or last is None:
        return last
    is_behind = composed("long_migrations/is_behind", kind=sql.SQL(migration.key_type))
    if not one_value(connection, bool, is_behind, {"after": after, "last": last}):
        raise NeedsOperator(f"The rows behind {after} end at {last}: they would be read for ever, so the command ends")
    return last


def _switch(connection: Connection, name: str, state: State, *, reads_new: bool) -> None:
    execute(connection, "long_migrations/switch_readers", {"migration": name, "reads_new": reads_new})
    move(connection, name, state)


def _dropped(store: Store, migration: LongMigration, replacement: Replacement) -> tuple[Sizes, Sizes] | None:
    """None if the lock could not be had at once."""
    try:
        with store.session("that owns the database") as connection:
            known = planned(connection, migration.name)
            check_command("drop", migration.name, known.state)
            _refuse_unverified(known, migration.name)
            before = _sizes(connection, replacement)
            keep_brief(connection, LOCK_TIMEOUT_MS)
            connection.execute("SET LOCAL search_path = public")
            run_script(connection, statements.named(f"long_migrations/{migration.name}/drop"))
            run_script(connection, with_prefix(access.view(replacement.table), prefix(connection)))
            move(connection, migration.name, State.DROPPED)
            record(connection, store, "migration drop", migration.name, State.DROPPED.value)
            return before, _sizes(connection, replacement)
    except TryAgain as error:
        if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
            return None
        raise


def _sizes(connection: Connection, replacement: Replacement) -> Sizes:
    return Sizes(_size(connection, replacement.table), sum(_size(connection, table) for table in replacement.by))


def _size(connection: Connection, table: str) -> int:
    """In bytes, with indexes."""
    return one_value(connection, int, "postgres/table_size", {"table": table})
