"""How a long migration ends: cancelled; or tidied up, verified, its readers switched over, the old dropped."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import psycopg

from lineage_core import statements
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.long_migrations.declared import LongMigration, long_migration, schema_versions
from lineage_core.long_migrations.plan.states import State, check
from lineage_core.long_migrations.store.indexes import bring_back, missing
from lineage_core.long_migrations.store.ledger import Planned, move, planned, stop
from lineage_core.normalize.store.readings import WATERMARK
from lineage_core.postgres.brief_locks import attempts, keep_brief
from lineage_core.postgres.connection import Connection, connect, run_script
from lineage_core.postgres.failures import explained
from lineage_core.postgres.group_roles import named, prefix
from lineage_core.postgres.leases import Lease, fence, held_lease
from lineage_core.render import access

OLD_MAPPING = "dataset_versions_field_mapping"
TIDIED, VERIFIED = 1_000, 5_000
"""Rows that one transaction tidies up, or compares."""

LOCK_TIMEOUT_MS = 40
"""The drop takes four locks, one after the other, and whoever comes meanwhile waits for all of them."""
DROP_ATTEMPTS = 100


@dataclass(frozen=True)
class Verification:
    """What readers see of all rows, by what is replaced and by what replaces it."""

    versions: int = 0
    old_rows: int = 0
    old_columns: int = 0
    old_checksum: int = 0
    new_columns: int = 0
    new_checksum: int = 0
    multiplied: int = 0
    """Versions whose old mapping has a column more than once. For readers of the new mapping it is one."""
    replaced: int = 0
    """Versions with a column that readers of the new mapping see as another row of `dataset_fields`, of the same name
    and type. Marquez wrote columns without a type again each time, and the first of them represents all."""
    in_quarantine: int = 0
    """Versions that differ because the migration could not work on them."""
    accepted: int = 0
    """Those of them that somebody has accepted."""
    unexplained: int = 0
    """All others that differ."""
    examples: tuple[str, ...] = ()
    """The first of the unexplained ones."""

    @property
    def is_good(self) -> bool:
        return self.unexplained == 0 and self.in_quarantine == 0

    def plus(self, row: tuple[Any, ...]) -> Verification:
        """With what one chunk has shown."""
        *numbers, examples = row
        sums = vars(self) | {"examples": (*self.examples, *(examples or ()))[:5]}
        for name, number in zip(vars(self), numbers, strict=False):
            sums[name] += int(number)
        return Verification(**sums)


@dataclass(frozen=True)
class Sizes:
    """Bytes on disk of the field mappings and of what stands beside them, indexes included."""

    old_mapping: int
    schema_versions: int
    new_mapping: int


def cancel(dsn: str, name: str) -> None:
    """Ends the migration; what is done stays done, and planning it anew finds it so.

    Raises NeedsOperator if it is cancelled, but an index is set aside which this login cannot build again.
    """
    migration = long_migration(name)
    stop(dsn, name)
    if migration.costly:
        _settled(dsn, migration)


def finalize(dsn: str, name: str) -> int:
    """Builds the indexes that were set aside, and removes what the migration left behind; how many rows that were.

    Raises NeedsOperator while something is in quarantine that nobody has accepted, and where an index is to be built
    which this login cannot; TryAgain if the migration was planned again meanwhile.
    """
    migration = long_migration(name)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("finalize", name, planned(connection, name).state)
        _refuse_quarantined(connection, name)
    removed = _settled(dsn, migration)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("finalize", name, planned(connection, name).state)
        if missing(connection, migration):
            raise TryAgain(f"The migration {name!r} was planned again meanwhile, and ran; finalize it once more")
        move(connection, name, State.FINALIZED, f"{removed} removed")
    return removed


def verify(dsn: str, name: str) -> Verification:
    """Compares, and keeps the result; whether it is good decides what may come next."""
    migration = _switching(name)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("verify", name, planned(connection, name).state)
    found = _compared(dsn, migration)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("verify", name, planned(connection, name).state)
        connection.execute(
            "UPDATE migrations SET verification = %s::jsonb,"
            " verified_at = CASE WHEN %s THEN clock_timestamp() END WHERE name = %s",
            [json.dumps(asdict(found)), found.is_good, name],
        )
    return found


def cut_over(dsn: str, name: str) -> None:
    """Lets readers read the new mapping from their next statement on.

    Raises NeedsOperator before a good verification.
    """
    _switching(name)
    with explained("lineage_jobs"), connect(dsn) as connection:
        known = planned(connection, name)
        check("cutover", name, known.state)
        _refuse_unverified(known, name)
        _switch(connection, name, State.CUT_OVER, reads_new=True)


def roll_back(dsn: str, name: str) -> None:
    """Lets readers read the old mapping again, which is still written."""
    _switching(name)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("rollback", name, planned(connection, name).state)
        _switch(connection, name, State.FINALIZED, reads_new=False)


def drop(dsn: str, name: str) -> tuple[Sizes, Sizes]:
    """Drops what is replaced, and puts a view of its name in its place; sizes before and after.

    Only its owner may. It verifies once more, as nothing can be verified afterwards, and raises NeedsOperator if that
    fails. It waits for readers a little at a time, so that nobody has to wait behind it.
    """
    migration = _switching(name)
    with explained("lineage_jobs"), connect(dsn) as connection:
        check("drop", name, planned(connection, name).state)
    verify(dsn, name)
    for _ in attempts(DROP_ATTEMPTS):
        sizes = _dropped(dsn, migration)
        if sizes is not None:
            return sizes
    raise TryAgain(f"Others have used the old mapping all the time, so that it could not be dropped; {name!r} stays")


def drop_script() -> str:
    return statements.named(f"migrate/{schema_versions.MIGRATION.name}/drop")


def _switching(name: str) -> LongMigration:
    migration = long_migration(name)
    if not migration.switches_readers:
        raise WrongUsage(f"The migration {name!r} replaces nothing that readers read, so it ends with `finalize`")
    return migration


def _refuse_unverified(known: Planned, name: str) -> None:
    if known.verified_at is None:
        raise NeedsOperator(
            f"The migration {name!r} is not verified; `lineage migration verify {name}` has to succeed first"
        )


def _refuse_quarantined(connection: Connection, name: str) -> None:
    row = connection.execute(
        "SELECT count(*) OVER (), key, error FROM migration_quarantine AS held WHERE migration = %s AND NOT EXISTS"
        " (SELECT FROM migration_acceptances AS known WHERE (known.migration, known.key, known.error)"
        ' = (held.migration, held.key, held.error)) ORDER BY key COLLATE "C" LIMIT 1',
        [name],
    ).fetchone()
    if row:
        number, key, error = row
        raise NeedsOperator(
            f"{number} rows of {name!r} are in quarantine, such as {key}: {error}. Mend them, then"
            f" `lineage migration retry {name}` and run it again; what can never be repaired may stay as it is by"
            f" `lineage migration accept {name} KEY --why TEXT`"
        )


def _settled(dsn: str, migration: LongMigration) -> int:
    """The store with all its indexes, and without what nothing refers to; how many rows went.

    Live normalization waits for the removal, as it may refer anew to what nothing refers to.
    """
    bring_back(dsn, migration)
    removed = 0
    with held_lease(dsn, WATERMARK) as lease, explained("lineage_jobs"), connect(dsn) as connection:
        after: str | None = ""
        while after is not None:
            last, number = _tidied(connection, lease, migration, after or None)
            after = _behind(after or None, last)
            removed += number
    return removed


def _tidied(
    connection: Connection, lease: Lease, migration: LongMigration, after: str | None
) -> tuple[str | None, int]:
    with connection.transaction():
        fence(connection, lease)
        last, removed = _one(connection, migration, "tidy", {"after": after, "rows": TIDIED})
    return last, removed


def _compared(dsn: str, migration: LongMigration) -> Verification:
    """Chunk by chunk, each of one statement: what is written meanwhile is written to both."""
    found, after = Verification(), None
    with explained("lineage_jobs"), connect(dsn, autocommit=True) as connection:
        while True:
            last, *row = _one(connection, migration, "verify", {"after": after, "rows": VERIFIED})
            after = _behind(after, last)
            if after is None:
                return found
            found = found.plus(tuple(row))


def _behind(after: str | None, last: str | None) -> str | None:
    """The key that a chunk ends with, None at the end. Keys are uuids, whose texts have their order."""
    if after is not None and last is not None and last <= after:
        raise NeedsOperator(f"The rows behind {after} end at {last}: they would be read for ever, so the command ends")
    return last


def _one(
    connection: Connection, migration: LongMigration, script: str, parameters: Mapping[str, object]
) -> tuple[Any, ...]:
    text = statements.named(f"migrate/{migration.name}/{script}")
    cursor = psycopg.ClientCursor(connection).execute(text.encode(), parameters)
    while cursor.nextset():
        pass
    row = cursor.fetchone()
    assert row is not None  # noqa: S101 - both scripts end with an aggregate
    return row


def _switch(connection: Connection, name: str, state: State, *, reads_new: bool) -> None:
    connection.execute("UPDATE migrations SET reads_new = %s WHERE name = %s", [reads_new, name])
    move(connection, name, state)


def _dropped(dsn: str, migration: LongMigration) -> tuple[Sizes, Sizes] | None:
    """None if the lock could not be had at once."""
    try:
        with explained("that owns the database"), connect(dsn) as connection:
            known = planned(connection, migration.name)
            check("drop", migration.name, known.state)
            _refuse_unverified(known, migration.name)
            before = _sizes(connection)
            keep_brief(connection, LOCK_TIMEOUT_MS)
            connection.execute("SET LOCAL search_path = public")
            run_script(connection, drop_script())
            run_script(connection, named(access.view(OLD_MAPPING), prefix(connection)))
            move(connection, migration.name, State.DROPPED)
            return before, _sizes(connection)
    except TryAgain as error:
        if isinstance(error.__cause__, psycopg.errors.LockNotAvailable):
            return None
        raise


def _sizes(connection: Connection) -> Sizes:
    row = connection.execute(
        "SELECT pg_total_relation_size('dataset_versions_field_mapping'),"
        " pg_total_relation_size('dataset_schema_versions'),"
        " pg_total_relation_size('dataset_schema_versions_field_mapping')"
    ).fetchone()
    assert row is not None  # noqa: S101 - a SELECT without FROM has one row
    return Sizes(*row)
