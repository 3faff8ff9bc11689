"""Stores as Marquez before 0.48 has left them: dataset versions with the old mapping, and without schema versions."""

from __future__ import annotations

from collections.abc import Sequence

from psycopg import sql

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

FIRST = "2026-01-01Z"
EVERY = "10 minutes"


def put_dataset(connection: Connection, name: str, columns: Sequence[tuple[str, str | None]]) -> list[str]:
    """A dataset with its columns; the uuids of these. Called again, it adds columns, also ones that are there."""
    connection.execute(
        "INSERT INTO namespaces (uuid, created_at, updated_at, name)"
        " VALUES (key_uuid('namespaces', 'shop'), %(at)s, %(at)s, 'shop') ON CONFLICT DO NOTHING",
        {"at": FIRST},
    )
    connection.execute(
        "INSERT INTO sources (uuid, created_at, updated_at, name, connection_url, type) VALUES"
        " (key_uuid('sources', 'default'), %(at)s, %(at)s, 'default', '', 'POSTGRESQL') ON CONFLICT DO NOTHING",
        {"at": FIRST},
    )
    connection.execute(
        "INSERT INTO datasets (uuid, type, created_at, updated_at, namespace_uuid, source_uuid, name, physical_name,"
        " namespace_name, source_name) VALUES (key_uuid('datasets', 'shop', %(name)s), 'DB_TABLE', %(at)s, %(at)s,"
        " key_uuid('namespaces', 'shop'), key_uuid('sources', 'default'), %(name)s, %(name)s, 'shop', 'default')"
        " ON CONFLICT DO NOTHING",
        {"name": name, "at": FIRST},
    )
    return [
        _only(
            connection,
            "INSERT INTO dataset_fields (uuid, type, created_at, updated_at, dataset_uuid, name)"
            " VALUES (gen_random_uuid(), %s, %s, %s, key_uuid('datasets', 'shop', %s), %s) RETURNING uuid::text",
            [type_, FIRST, FIRST, name, column],
        )
        for column, type_ in columns
    ]


def put_versions(connection: Connection, name: str, fields: Sequence[str], number: int = 1) -> list[str]:
    """Versions of a dataset, one every ten minutes, that have these fields in the old mapping; their uuids."""
    made = connection.execute(
        "INSERT INTO dataset_versions (uuid, created_at, dataset_uuid, version, namespace_name, dataset_name)"
        " SELECT gen_random_uuid(), %s::timestamptz + place * %s::interval, key_uuid('datasets', 'shop', %s),"
        " gen_random_uuid(), 'shop', %s FROM generate_series(0, %s - 1) AS place RETURNING uuid::text",
        [FIRST, EVERY, name, name, number],
    )
    versions = [uuid for (uuid,) in made]
    connection.execute(
        "INSERT INTO dataset_versions_field_mapping SELECT version, field FROM unnest(%s::uuid[]) AS version,"
        " unnest(%s::uuid[]) AS field",
        [versions, list(fields)],
    )
    return versions


def count(store: Store, table: str) -> int:
    with store.connect() as connection:
        return int(_only(connection, sql.SQL("SELECT count(*)::text FROM {}").format(sql.Identifier(table)), []))


def _only(connection: Connection, query: sql.Composed | str, parameters: Sequence[object]) -> str:
    row = connection.execute(query, parameters).fetchone()
    assert row is not None
    found: str = row[0]
    return found
