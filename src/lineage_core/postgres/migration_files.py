"""The numbered migrations of the store, and the digest by which a store knows those that made it.

Until the first release `0001` is rendered from the declarations, and changes with them. Its number alone does not tell
what a database has.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from psycopg import sql

from lineage_core.errors import SchemaDiffers
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.typed_rows import composed, execute, value_or_none
from lineage_core.settings import PROJECT

FOLDER = PROJECT / "sql" / "migrations"
VERSION_TABLE = "lineage_schema_version"
"""Not Alembic's own name: Airflow keeps that one, perhaps in the same database. Its comment is the digest."""


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


def digest(files: Iterable[Path]) -> str:
    """SHA-256 of the texts of migrations, in their order."""
    return hashlib.sha256(b"\0".join(path.read_bytes() for path in files)).hexdigest()


def kept_digest(connection: Connection) -> str | None:
    """Of the migrations that made this store; None if there is none, or if a release made it that kept no digest."""
    return value_or_none(connection, str, "postgres/kept_digest")


def keep_digest(connection: Connection, applied: str) -> None:
    """Only the owner of the store may."""
    execute(connection, composed("postgres/keep_digest", digest=sql.Literal(applied)))


def refuse_other_release(connection: Connection) -> None:
    """Raises SchemaDiffers unless the migrations of this release have made the store, all of them and no other."""
    if kept_digest(connection) != _digest_of_release():
        raise SchemaDiffers(
            "The database holds no lineage store, or one of another release, so nothing was changed. Run `lineage db"
            " upgrade` of this release, which makes it or brings it up to date, or says why it cannot"
        )


@cache
def _digest_of_release() -> str:
    return digest(migration_files())
