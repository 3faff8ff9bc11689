"""The group roles of a store: their names, and who may connect to its database."""

from __future__ import annotations

import re
from dataclasses import dataclass

from psycopg import sql

from lineage_core import statements
from lineage_core.declare.database_names import READER, ROLES
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.typed_rows import every_value, one_row, one_value, value_or_none

SCRIPTS = ("roles", "nothing", "grants")
"""Scripts in their order. Behind them come those of each package that say who may call its functions. All are
run at each upgrade: a database that was restored elsewhere has lost its roles."""

_PREFIX = re.compile(r"(?!pg_)(?:[a-z][a-z0-9_]{0,40})?")
_NAMES = re.compile(rf"\b(?:{'|'.join(ROLES)})\b")


@dataclass(frozen=True)
class _Access:
    """A database: whether every login may connect to it, and whether its owner is this login."""

    name: str
    is_open: bool
    is_owned: bool
    owner: str


def prefix(connection: Connection) -> str:
    """What stands before the names of this store's roles; nothing, unless an upgrade was given something."""
    if not one_value(connection, bool, "postgres/relation_exists", {"name": "public.group_roles"}):
        return ""
    found = value_or_none(connection, str, "postgres/group_role", {"purpose": "reader"})
    return found.removesuffix(READER) if found else ""


def role(connection: Connection, purpose: str) -> str:
    """The role of this store for a purpose: ingest, jobs, marquez, operator or reader."""
    found = value_or_none(connection, str, "postgres/group_role", {"purpose": purpose})
    if found is None:
        raise NeedsOperator("The store does not know its roles; run `lineage db upgrade`")
    return found


def with_prefix(text: str, prefix: str) -> str:
    """A script with the names that the roles have behind a prefix."""
    return _NAMES.sub(lambda name: prefix + name[0], text) if prefix else text


def prefixed_roles(prefix: str) -> list[str]:
    return [prefix + name for name in ROLES]


def checked(wanted: str) -> str:
    """The prefix, if it is one. Raises WrongUsage otherwise."""
    if _PREFIX.fullmatch(wanted) is None:
        raise WrongUsage(
            f"{wanted!r} cannot be a prefix of roles: it begins with a lower-case letter, continues with"
            " lower-case letters, digits and _, has at most 41 of them, and is not pg_"
        )
    return wanted


def give_access(connection: Connection, wanted: str | None) -> list[str]:
    """Makes the roles and gives them their rights; sentences for the owner on what he should know.

    `wanted` is the prefix of their names, None for the one that they have. Roles that had another lose their rights.
    """
    before = prefix(connection)
    now = before if wanted is None else checked(wanted)
    if now != before:
        _take_back(connection, before)
    for script in (*(f"postgres/access/{name}" for name in SCRIPTS), *_of_functions()):
        run_script(connection, with_prefix(statements.named(script), now))
    return _close(connection, now)


def _of_functions() -> tuple[str, ...]:
    return tuple(name for name in statements.in_each_room("access") if statements.own_name(name) == "functions")


def _take_back(connection: Connection, before: str) -> None:
    database = _quoted(connection, one_row(connection, _Access, "postgres/database_access").name)
    run_script(connection, with_prefix(statements.named("postgres/access/nothing"), before))
    for what in ("ALL FUNCTIONS IN SCHEMA public", f"DATABASE {database}"):
        run_script(connection, f"REVOKE ALL ON {what} FROM {', '.join(prefixed_roles(before))};")


def _close(connection: Connection, prefix: str) -> list[str]:
    """Lets no one connect but the owner and the roles of the store, where these are of no other."""
    database = one_row(connection, _Access, "postgres/database_access")
    if not database.is_open:
        return []
    roles = prefixed_roles(prefix)
    elsewhere = every_value(connection, str, "postgres/other_databases", {"roles": roles})
    quoted = _quoted(connection, database.name)
    if elsewhere:
        return [
            f"The roles {', '.join(roles)} are those of another store, too, in {', '.join(elsewhere)}: a login that"
            " has one of them can do in both what it may. Give this store roles of its own by"
            " `lineage db upgrade --role-prefix NAME_`, and grant those to its logins"
        ]
    close = f"REVOKE CONNECT ON DATABASE {quoted} FROM PUBLIC;"
    let_in = f"GRANT CONNECT ON DATABASE {quoted} TO {', '.join(roles)};"
    if not database.is_owned:
        return [
            f"Every login of the cluster may connect to the database {database.name}, and only its owner"
            f" {database.owner} can change that: {close} {let_in}"
        ]
    run_script(connection, close + let_in)
    return [
        f"The database {database.name} is no longer open to every login of the cluster, only to its owner and to the"
        f" roles {', '.join(roles)}. Others need GRANT CONNECT ON DATABASE {quoted}"
    ]


def _quoted(connection: Connection, name: str) -> str:
    return sql.Identifier(name).as_string(connection)
