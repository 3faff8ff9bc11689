"""What the scripts of a merge use of the database, by the rights that Postgres itself finds each statement to need.

PostgreSQL 16 or newer lists these rights in its parse trees.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from psycopg.sql import Composable

from lineage_core.declare.database_names import STAGING, STAGING_SCHEMAS
from tests.support.parse_trees import Node, Value, all_nodes, parsed

_RELATIONS = """
SELECT
    pg_class.oid::bigint,
    relname,
    nspname,
    relnamespace = pg_my_temp_schema() AND relkind = 'r',
    (SELECT jsonb_object_agg(attnum, attname) FROM pg_attribute WHERE attrelid = pg_class.oid AND attnum > 0)
FROM pg_class
JOIN pg_namespace ON pg_namespace.oid = relnamespace
WHERE (nspname = ANY (%s) AND relname <> 'streams') OR relnamespace = pg_my_temp_schema()
"""
"""Without the table by which capture knows whether a stream is on: what is captured is no doing of a step."""
_INSERT, _SELECT, _UPDATE, _DELETE = 1, 2, 4, 8
_SYSTEM_COLUMNS = 7
"""As many come before the first column of a table in a set of columns; the last of them stands for the whole row."""
_LOCKS_A_PARENT = re.compile(r":strength\s+1\s")
"""FOR KEY SHARE, the lock that only a foreign key's check takes. Postgres breaks the lines of a tree at any space."""
_CHANGES_WHAT_REFERS = re.compile(r":commandType\s+[24]\s.*:paramkind\s+0\s", re.DOTALL)


@dataclass
class Uses:
    """Tables, each with its columns, that a script reads and updates; those that it inserts into and deletes from.

    `made` are the temporary tables that are new with it. Whatever the schema where a slice is staged, `staging` stands
    before the names of its tables.
    """

    read: dict[str, set[str]] = field(default_factory=dict)
    updated: dict[str, set[str]] = field(default_factory=dict)
    inserted: set[str] = field(default_factory=set)
    removed: set[str] = field(default_factory=set)
    made: set[str] = field(default_factory=set)


@contextmanager
def observed(patch: pytest.MonkeyPatch) -> Iterator[dict[str, Uses]]:
    """By its text, what each script uses that a client cursor is given within, all calls of it together."""
    found: dict[str, Uses] = {}
    execute = psycopg.ClientCursor.execute

    def observe(cursor: psycopg.ClientCursor[Any], script: Any, *given: Any) -> psycopg.ClientCursor[Any]:
        before = _relations(cursor.connection)
        with _trees(cursor.connection) as trees:
            execute(cursor, script, *given)
        after = _relations(cursor.connection)
        text = script.as_string(cursor) if isinstance(script, Composable) else script
        uses = found.setdefault(text, Uses())
        uses.made |= {after[oid].name for oid in after.keys() - before.keys() if after[oid].is_temporary}
        for tree in trees:
            if not _is_of_a_foreign_key(tree):
                _add(uses, parsed(tree), after)
        return cursor

    with patch.context() as patched:
        patched.setattr(psycopg.ClientCursor, "execute", observe)
        yield found


@dataclass(frozen=True)
class _Relation:
    name: str
    is_temporary: bool
    columns: dict[int, str]


def _relations(connection: psycopg.Connection[Any]) -> dict[int, _Relation]:
    rows = connection.execute(_RELATIONS, [["public", *STAGING_SCHEMAS]])
    return {
        oid: _Relation(
            f"{STAGING}.{name}" if schema in STAGING_SCHEMAS else name,
            is_temporary,
            {int(number): column for number, column in (columns or {}).items()},
        )
        for oid, name, schema, is_temporary, columns in rows
    }


@contextmanager
def _trees(connection: psycopg.Connection[Any]) -> Iterator[list[str]]:
    """The parse trees of what is asked within, also of what functions ask in their bodies."""
    trees: list[str] = []

    def hear(diagnostic: psycopg.errors.Diagnostic) -> None:
        if diagnostic.message_primary == "parse tree:" and diagnostic.message_detail:
            trees.append(diagnostic.message_detail)

    for setting in ("debug_pretty_print = off", "client_min_messages = log", "debug_print_parse = on"):
        connection.execute(f"SET LOCAL {setting}".encode())
    connection.add_notice_handler(hear)
    yield trees
    connection.remove_notice_handler(hear)
    for setting in ("debug_print_parse", "client_min_messages"):
        connection.execute(f"SET LOCAL {setting} TO DEFAULT".encode())


def _is_of_a_foreign_key(tree: str) -> bool:
    """Whether Postgres asks this itself, to hold a foreign key: it locks a parent, or removes what refers to one.

    Our own scripts have no parameters left when Postgres sees them.
    """
    return bool(_LOCKS_A_PARENT.search(tree) or _CHANGES_WHAT_REFERS.search(tree))


def _add(uses: Uses, tree: Value, relations: dict[int, _Relation]) -> None:
    for node in all_nodes(tree):
        relation = relations.get(node.number("relid"))
        if node.kind != "RTEPERMISSIONINFO" or relation is None:
            continue
        rights = node.number("requiredPerms")
        if rights & _SELECT:
            uses.read.setdefault(relation.name, set()).update(_columns(node, "selectedCols", relation))
        if rights & _UPDATE:
            uses.updated.setdefault(relation.name, set()).update(_columns(node, "updatedCols", relation))
        if rights & _INSERT:
            uses.inserted.add(relation.name)
        if rights & _DELETE:
            uses.removed.add(relation.name)


def _columns(node: Node, member: str, relation: _Relation) -> Iterator[str]:
    for number in node.members.get(member) or []:
        if number == "b":
            continue
        column = int(number) - _SYSTEM_COLUMNS
        if column == 0:
            yield from relation.columns.values()
        elif column > 0:
            yield relation.columns[column]
