"""The group roles of a store: their names, and who may connect to its database."""

from __future__ import annotations

import re

from psycopg import sql

from lineage_core import statements
from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.render.access import NOTHING, READER, ROLES

SCRIPTS = ("roles", "grants", "functions")
"""Scripts of sql/access in their order. They are run at each upgrade: a database restored elsewhere lost its roles."""

_PREFIX = re.compile(r"(?!pg_)(?:[a-z][a-z0-9_]{0,40})?")
_NAMES = re.compile(rf"\b(?:{'|'.join(ROLES)})\b")


def prefix(connection: Connection) -> str:
    """What stands before the names of this store's roles; nothing, unless an upgrade was told something."""
    is_there = connection.execute("SELECT to_regclass('public.group_roles') IS NOT NULL").fetchone()
    if is_there != (True,):
        return ""
    found = connection.execute("SELECT name FROM public.group_roles WHERE purpose = 'reader'").fetchone()
    return found[0].removesuffix(READER) if found else ""


def role(connection: Connection, purpose: str) -> str:
    """The role of this store for a purpose: ingest, jobs, operator or reader."""
    found = connection.execute("SELECT name FROM group_roles WHERE purpose = %s", [purpose]).fetchone()
    if found is None:
        raise NeedsOperator("The store does not know its roles; run `lineage db upgrade`")
    return str(found[0])


def named(text: str, prefix: str) -> str:
    """A script with the names that the roles have behind a prefix."""
    return _NAMES.sub(lambda name: prefix + name[0], text) if prefix else text


def names(prefix: str) -> list[str]:
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
    for script in SCRIPTS:
        run_script(connection, named(statements.named(f"access/{script}"), now))
    return _close(connection, now)


def _take_back(connection: Connection, before: str) -> None:
    database = _quoted(connection, _database(connection))
    run_script(connection, named(NOTHING, before))
    for what in ("ALL FUNCTIONS IN SCHEMA public", f"DATABASE {database}"):
        run_script(connection, f"REVOKE ALL ON {what} FROM {', '.join(names(before))};")


def _close(connection: Connection, prefix: str) -> list[str]:
    """Lets nobody connect but the owner and the roles of the store, where these are of no other."""
    database = _database(connection)
    row = connection.execute(
        "SELECT has_database_privilege('public', oid, 'CONNECT'), pg_has_role(datdba, 'USAGE'), pg_get_userbyid(datdba)"
        " FROM pg_database WHERE datname = current_database()"
    ).fetchone()
    is_open, is_owner, owner = row or (False, False, "")
    if not is_open:
        return []
    roles = names(prefix)
    elsewhere = _opened_by(connection, roles)
    quoted = _quoted(connection, database)
    if elsewhere:
        return [
            f"The roles {', '.join(roles)} are those of another store, too, in {', '.join(elsewhere)}: a login that"
            " has one of them can do in both what it may. Give this store roles of its own by"
            " `lineage db upgrade --role-prefix NAME_`, and grant those to its logins"
        ]
    close = f"REVOKE CONNECT ON DATABASE {quoted} FROM PUBLIC;"
    let_in = f"GRANT CONNECT ON DATABASE {quoted} TO {', '.join(roles)};"
    if not is_owner:
        return [
            f"Every login of the cluster may connect to the database {database}, and only its owner {owner} can change"
            f" that: {close} {let_in}"
        ]
    run_script(connection, close + let_in)
    return [
        f"The database {database} is no longer open to every login of the cluster, only to its owner and to the roles"
        f" {', '.join(roles)}. Others need GRANT CONNECT ON DATABASE {quoted}"
    ]


def _opened_by(connection: Connection, roles: list[str]) -> list[str]:
    """The other databases that these roles may connect to as themselves, not as everybody may."""
    found = connection.execute(
        "SELECT DISTINCT datname FROM pg_database, aclexplode(datacl)"
        " WHERE datname <> current_database() AND privilege_type = 'CONNECT'"
        " AND grantee = ANY (SELECT oid FROM pg_roles WHERE rolname = ANY (%s)) ORDER BY datname",
        [roles],
    )
    return [name for (name,) in found]


def _database(connection: Connection) -> str:
    row = connection.execute("SELECT current_database()").fetchone()
    assert row is not None  # noqa: S101 - a SELECT without FROM has one row
    return str(row[0])


def _quoted(connection: Connection, name: str) -> str:
    return sql.Identifier(name).as_string(connection)
