"""Owners of namespaces: people say who they are, as no event does."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from uuid import UUID

from lineage_core.acts.store import record
from lineage_core.declare.database_names import OPERATORS
from lineage_core.errors import WrongUsage
from lineage_core.model.tables.namespaces import ANONYMOUS
from lineage_core.nearest import nearest_name
from lineage_core.openlineage.identity import owner_uuid
from lineage_core.openlineage.name_limits import LONGEST_NAME
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row, execute, value_or_none


@dataclass(frozen=True)
class OwnedNamespace:
    """`owner` is `anonymous` where there is none."""

    name: str
    owner: str


def own(store: Store, namespace: str, owner: str) -> None:
    """Makes somebody the one owner of a namespace, from now on; a repeat changes nothing."""
    if owner == ANONYMOUS or not 0 < len(owner.encode()) <= LONGEST_NAME:
        raise WrongUsage(
            f"An owner needs a name of at most {LONGEST_NAME:,} bytes, other than {ANONYMOUS}."
            " `lineage namespace disown` removes the owner."
        )
    with _namespace(store, namespace) as (connection, uuid):
        execute(connection, "namespaces/add_owner", {"uuid": UUID(bytes=owner_uuid(owner)), "name": owner})
        _set_owner(connection, uuid, owner)
        execute(connection, "namespaces/begin_ownership", {"namespace": uuid, "owner": owner})
        record(connection, store, "namespace own", namespace, f"owned by {owner}")


def disown(store: Store, namespace: str) -> None:
    """Ends the ownership of a namespace; does nothing if there is none."""
    with _namespace(store, namespace) as (connection, uuid):
        _set_owner(connection, uuid, ANONYMOUS)
        record(connection, store, "namespace disown", namespace, "owned by no one")


def owned_namespaces(store: Store) -> list[OwnedNamespace]:
    """Every namespace, by name."""
    with store.session(OPERATORS) as connection:
        return every_row(connection, OwnedNamespace, "namespaces/owned")


@contextmanager
def _namespace(store: Store, name: str) -> Iterator[tuple[Connection, UUID]]:
    """A transaction that holds the namespace, and its uuid, so that one owner follows the other."""
    with store.session(OPERATORS) as connection:
        found = value_or_none(connection, UUID, "namespaces/lock", {"name": name})
        if found is None:
            names = (one.name for one in every_row(connection, OwnedNamespace, "namespaces/owned"))
            helps = nearest_name(name, names, "`lineage namespace list` shows which there are.")
            raise WrongUsage(f"No event has named the namespace {name!r}. {helps}")
        yield connection, found


def _set_owner(connection: Connection, namespace: UUID, owner: str) -> None:
    of = {"namespace": namespace, "owner": owner}
    execute(connection, "namespaces/end_other_ownerships", of)
    execute(connection, "namespaces/name_owner", of)
