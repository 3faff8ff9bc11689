"""One Postgres transaction that takes a staged slice into the tables: fenced, complete, and with its watermark."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache

import psycopg
from psycopg import sql

from lineage_core import quarantine, statements
from lineage_core.declare.database_names import STAGING_SCHEMAS
from lineage_core.declare.tables import all_tables
from lineage_core.errors import NeedsOperator, SliceRefused, TryAgain
from lineage_core.model.arrivals import RefusedDocument
from lineage_core.model.derivations import all_derivations
from lineage_core.model.merge_order import is_idle, is_left_out, merge_order
from lineage_core.model.tables.event_ledger import TABLE as LEDGER
from lineage_core.normalize.slices import SlicePart
from lineage_core.normalize.store.event_choices import EventChoice, prefer_indexes
from lineage_core.normalize.store.schema_verdicts import judge_schemas
from lineage_core.normalize.store.staging import StagedPart
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import lies_in_data
from lineage_core.postgres.leases import Lease, fence
from lineage_core.postgres.replaced_tables import keep_replaced_tables
from lineage_core.postgres.typed_rows import composed, every_row, every_value, execute, one_value

_ORDER = merge_order(all_tables(), all_derivations())
"""Sorted when this is imported, so that no run begins with declarations that contradict each other."""


def merge_steps(replaced: Collection[str] = (), staged: Mapping[str, int] | None = None) -> tuple[str, ...]:
    """The steps of a merge, without those that would only change tables which are `replaced` by views.

    staged: rows by table, if it is known: then without those steps, too, that would take in no row.
    """
    wanted = (step for step in _ORDER if not is_left_out(step, replaced))
    return tuple(step.path for step in wanted if staged is None or not is_idle(step, staged))


@dataclass(frozen=True)
class _TableChanges:
    table: str
    rows: int
    added: int


@dataclass(frozen=True)
class MergedRows:
    """What a merge has changed: rows by table, and how many events the ledger did not hold before."""

    rows: Counter[str]
    new_events: int


@contextmanager
def merging(connection: Connection, lease: Lease, schema: str, parts: Sequence[StagedPart]) -> Iterator[MergedRows]:
    """Merges the accepted parts, which wait in `schema`, in one transaction with the block, which writes that they are
    done. Gives what the merge has changed.

    Raises LeaseLost if another run holds the lease now, TryAgain if a crash has emptied what was staged, SliceRefused
    if Postgres does not take what it says.
    """
    accepted = [part.part_id for part in parts]
    statements.announce("merge")
    with connection.transaction():
        fence(connection, lease)
        connection.execute(statements.named("normalize/merge_settings"))
        staged = _staged_rows(parts)
        _check_complete(connection, schema, staged, accepted)
        before = _changes(connection)
        for step in merge_steps(keep_replaced_tables(connection), staged):
            _run(connection, step, schema, accepted)
        judge_schemas(connection)
        after = _changes(connection)
        yield MergedRows(_rows(after) - _rows(before), _added(after, LEDGER.name) - _added(before, LEDGER.name))


def changed_rows(connection: Connection) -> Counter[str]:
    """Rows that the session has changed, by table: what two looks in one transaction differ by was changed between."""
    return _rows(_changes(connection))


def _changes(connection: Connection) -> list[_TableChanges]:
    return every_row(connection, _TableChanges, "normalize/changed_rows")


def _rows(changes: Iterable[_TableChanges]) -> Counter[str]:
    return Counter({one.table: one.rows for one in changes})


def _added(changes: Iterable[_TableChanges], table: str) -> int:
    return sum(one.added for one in changes if one.table == table)


def verdicts_stand(connection: Connection, schema: str, parts: Sequence[StagedPart]) -> bool:
    """Whether no part was staged under a verdict that a slice merged meanwhile has settled otherwise.

    The verdict whether an event lay ahead of its receipt is that of its first normalized copy (see verdicts.py).
    """
    with connection.transaction():
        connection.execute(statements.named("normalize/merge_settings"))
        query = _script("normalize/other_verdicts", schema)
        found = psycopg.ClientCursor(connection).execute(query, {"parts": [part.part_id for part in parts]}).fetchone()
    return found == (False,)


def quarantine_part(connection: Connection, lease: Lease, reading: EventChoice, part: SlicePart, reason: str) -> None:
    """Puts the one event of a part into quarantine, and writes that it is done, in one transaction."""
    with connection.transaction():
        fence(connection, lease)
        prefer_indexes(connection)
        try:
            with connection.transaction():
                _quarantine(connection, reading, part, reason)
        except psycopg.Error as error:
            if connection.broken or not lies_in_data(error):
                raise
            quarantine.put(connection, [_unreadable(reading, part, reason)])
        reading.mark_done(connection, part.until)


def _quarantine(connection: Connection, reading: EventChoice, part: SlicePart, reason: str) -> None:
    """The document stays in the server: this process may have no room for it, either."""
    query = sql.SQL(statements.named("normalize/quarantine_part")).format(
        part=sql.SQL(statements.named(reading.part_statement))
    )
    connection.execute(query, {**reading.part_parameters(part), "reason": reason})


def _unreadable(reading: EventChoice, part: SlicePart, reason: str) -> RefusedDocument:
    """Stands for an event that Postgres itself cannot read any more; its row stays where it is."""
    names = reading.position_columns
    where = " and ".join(f"{name} {value}" for name, value in zip(names, part.until, strict=True))
    return RefusedDocument(f"The event of lineage_events with {where}".encode(), reason, "$", "lineage_events")


def _run(connection: Connection, step: str, schema: str, accepted: list[int]) -> None:
    statements.announce(step)
    try:
        psycopg.ClientCursor(connection).execute(_script(step, schema), {"parts": accepted})
    except psycopg.Error as error:
        if connection.broken:
            raise
        if lies_in_data(error):
            raise SliceRefused(f"The statement {step} fails: {error.diag.message_primary or error}") from error
        if isinstance(error, psycopg.OperationalError):
            raise
        raise NeedsOperator(
            f"The statement {step} fails: {error.diag.message_primary or error}. Nothing of the slice was merged,"
            " nor will be until this is repaired: `lineage db check` says whether the database is what this release"
            " expects"
        ) from error


@cache
def _script(step: str, schema: str) -> sql.Composed:
    """The script, with the schema where its slice is staged in place of `{staging}`."""
    return sql.SQL(statements.named(step)).format(staging=sql.Identifier(schema))


def staging_schema(number: int) -> str:
    """Where the slice of that number is staged."""
    return STAGING_SCHEMAS[_turn(number)]


def _turn(number: int) -> int:
    return (number - 1) % len(STAGING_SCHEMAS)


def empty_staging(connection: Connection, lease: Lease, number: int) -> None:
    """Removes what stands where the slice of that number is to be staged: an earlier slice, or parts of another run.

    A task of a run that lost its lease may add rows later; no merge takes them. Rows are staged in one transaction with
    their manifest, so where there is no manifest there are no rows.
    """
    with connection.transaction():
        fence(connection, lease)
        earlier = {"epoch": lease.epoch, "turns": len(STAGING_SCHEMAS), "turn": _turn(number)}
        parts = every_value(connection, int, "normalize/forget_parts", earlier)
        if parts and not _truncated(connection, staging_schema(number)):
            _delete(connection, staging_schema(number), parts)


def _truncated(connection: Connection, schema: str) -> bool:
    """Whether staging could be truncated at once: a task of a run that was stopped may hold it, for however long."""
    try:
        with connection.transaction():
            connection.execute("SET LOCAL lock_timeout = '1s'")
            filled = every_value(connection, str, "normalize/filled_staging", {"schema": schema})
            if filled:
                names = sql.SQL(", ").join(sql.Identifier(schema, name) for name in filled)
                connection.execute(sql.SQL("TRUNCATE {}").format(names))
    except psycopg.errors.LockNotAvailable:
        return False
    return True


def _delete(connection: Connection, schema: str, parts: list[int]) -> None:
    for name in _staging_tables(schema):
        execute(connection, composed("normalize/delete_staged", table=name), {"parts": parts})


def _staging_tables(schema: str) -> list[sql.Identifier]:
    return [sql.Identifier(schema, table.name) for table in all_tables() if table.rows is not None]


def _staged_rows(parts: Iterable[StagedPart]) -> Counter[str]:
    """How many rows there are for each table that has any."""
    staged = Counter[str]()
    for part in parts:
        staged.update(part.rows)
    return +staged


def _check_complete(connection: Connection, schema: str, staged: Mapping[str, int], part_ids: list[int]) -> None:
    """The manifest is logged, the staging tables are not: after a crash of the server they disagree."""
    for table, expected in staged.items():
        count = composed("normalize/count_staged", table=sql.Identifier(schema, table))
        found = one_value(connection, int, count, {"parts": part_ids})
        if found != expected:
            raise TryAgain(
                f"{expected} rows were staged for {table}, but {found} are there: the server has restarted since."
                " The slice is staged again by the next run"
            )
