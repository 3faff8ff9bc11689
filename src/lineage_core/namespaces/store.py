"""Owners of namespaces: people say who they are, as no event does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from psycopg.rows import class_row

from lineage_core.errors import WrongUsage
from lineage_core.model.tables.namespaces import NOBODY
from lineage_core.openlineage.events import LONGEST_NAME
from lineage_core.openlineage.identity import owner_uuid
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.render.access import OPERATORS

_KNOW_OWNER = """
INSERT INTO owners (uuid, created_at, name) VALUES (%s, now() AT TIME ZONE 'UTC', %s) ON CONFLICT (name) DO NOTHING
"""
_BEGIN = """
INSERT INTO namespace_ownerships AS stored (uuid, started_at, namespace_uuid, owner_uuid)
SELECT gen_random_uuid(), now() AT TIME ZONE 'UTC', %s, uuid FROM owners WHERE name = %s
ON CONFLICT (namespace_uuid, owner_uuid) DO UPDATE SET started_at = excluded.started_at, ended_at = NULL
WHERE stored.ended_at IS NOT NULL
"""
_END = """
UPDATE namespace_ownerships SET ended_at = now() AT TIME ZONE 'UTC'
FROM owners
WHERE owners.uuid = owner_uuid AND namespace_uuid = %s AND ended_at IS NULL AND owners.name <> %s
"""


@dataclass(frozen=True)
class OwnedNamespace:
    """`owner` is `anonymous` where nobody owns it."""

    name: str
    owner: str


def own(dsn: str, namespace: str, owner: str) -> None:
    """Makes somebody the one owner of a namespace, from now on; a repeat changes nothing."""
    if owner == NOBODY or not 0 < len(owner.encode()) <= LONGEST_NAME:
        raise WrongUsage(
            f"An owner needs a name of at most {LONGEST_NAME:,} bytes, other than {NOBODY}."
            " `lineage namespace disown` removes the owner."
        )
    with _namespace(dsn, namespace) as (connection, uuid):
        connection.execute(_KNOW_OWNER, [UUID(bytes=owner_uuid(owner)), owner])
        _set_owner(connection, uuid, owner)
        connection.execute(_BEGIN, [uuid, owner])


def disown(dsn: str, namespace: str) -> None:
    """Ends the ownership of a namespace; does nothing if there is none."""
    with _namespace(dsn, namespace) as (connection, uuid):
        _set_owner(connection, uuid, NOBODY)


def owned_namespaces(dsn: str) -> list[OwnedNamespace]:
    """Every namespace, by name."""
    query = 'SELECT name, current_owner_name AS owner FROM namespaces ORDER BY name COLLATE "C"'
    with explained(OPERATORS), connect(dsn) as connection:
        return connection.cursor(row_factory=class_row(OwnedNamespace)).execute(query).fetchall()


@contextmanager
def _namespace(dsn: str, name: str) -> Iterator[tuple[Connection, UUID]]:
    """A transaction that holds the namespace, and its uuid, so that one owner follows the other."""
    with explained(OPERATORS), connect(dsn) as connection:
        found = connection.execute("SELECT uuid FROM namespaces WHERE name = %s FOR UPDATE", [name]).fetchone()
        if found is None:
            raise WrongUsage(
                f"No event has named the namespace {name!r}; `lineage namespace list` shows which there are."
            )
        yield connection, found[0]


def _set_owner(connection: Connection, namespace: UUID, owner: str) -> None:
    connection.execute(_END, [namespace, owner])
    connection.execute("UPDATE namespaces SET current_owner_name = %s WHERE uuid = %s", [owner, namespace])
