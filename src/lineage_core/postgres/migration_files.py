"""The numbered migrations of the store, and the digest by which a store knows the release that made it.

A migration makes schemas, types and tables. It never changes once it has landed. What can be run again, functions,
triggers and views, stands in files of its own (`declare/schema_scripts.py`).
"""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

from psycopg import sql

from lineage_core.declare.schema_scripts import all_scripts
from lineage_core.errors import SchemaDiffers
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, execute, one_value, value_or_none
from lineage_core.settings import PROJECT

FIRST_LANDED = "a14ac68b687453a4150ecec22d7fa736bbeac26d11163cf8bec56cffd5b09772"
"""The digest that a store keeps whose first migration still had functions and views. It has the tables that the first
migration makes now; states before it had others."""

EARLIER_STORE = (
    "The store was made before its migrations were history. Where `lineage db upgrade` cannot bring it up to date,"
    " `lineage db carry-over` makes one of this release of it, beside it, and says first how long that takes and how"
    " much disk"
)


def is_earlier(connection: Connection) -> bool:
    """Whether there is such a store."""
    return one_value(connection, bool, "postgres/is_earlier", {"first_landed": FIRST_LANDED})


FOLDER = PROJECT / "sql" / "migrations"
VERSION_TABLE = "lineage_schema_version"
"""Not Alembic's own name: Airflow keeps that one, perhaps in the same database. Its comment is the release's digest."""


def migration_files(folder: Path = FOLDER) -> list[Path]:
    """The migrations in their order. Raises SchemaDiffers if their numbers have a gap or repeat."""
    files = sorted(folder.glob("*.sql"))
    for place, path in enumerate(files, start=1):
        if number(path) != f"{place:04}":
            raise SchemaDiffers(f"{path.name} should have the number {place:04}: migrations are numbered without gaps")
    return files


def number(path: Path) -> str:
    """The four digits that a migration's name begins with."""
    return path.stem.partition("_")[0]


def kept_digest(connection: Connection) -> str | None:
    """Of the release that upgraded this store last; None if there is no store, or none was kept."""
    return value_or_none(connection, str, "postgres/kept_digest")


def keep_digest(connection: Connection, applied: str) -> None:
    """Only the owner of the store may."""
    execute(connection, composed("postgres/keep_digest", digest=sql.Literal(applied)))


def refuse_other_release(connection: Connection) -> None:
    """Raises SchemaDiffers unless this release has upgraded the store, or one with the same migrations and scripts."""
    if is_earlier(connection):
        raise SchemaDiffers(EARLIER_STORE)
    if kept_digest(connection) != digest_of_release():
        raise SchemaDiffers(
            "The database holds no lineage store, or one of another release, so nothing was changed. Run `lineage db"
            " upgrade` of this release, which makes it or brings it up to date, or says why it cannot"
        )


@cache
def digest_of_release() -> str:
    """SHA-256 of the texts of all migrations, and of the scripts that are run again where they have changed."""
    texts = [*(path.read_text() for path in migration_files()), *(script.text for script in all_scripts())]
    return hashlib.sha256("\0".join(texts).encode()).hexdigest()
