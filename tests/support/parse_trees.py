"""Parse trees as Postgres writes them: of every statement that a database is asked, and of what its catalog keeps.

Types and collations are those that Postgres has found, so a check of a tree has nothing to guess.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import psycopg
import pytest
from psycopg.sql import Composable

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

Value = Any
"""A node, a list of values, a text, or None where Postgres writes `<>`."""


@dataclass
class Node:
    """One node: its kind, such as OPEXPR, and its members by name."""

    kind: str
    members: dict[str, Value] = field(default_factory=dict)

    def number(self, name: str) -> int:
        return int(self.members.get(name) or 0)

    def nodes(self, name: str) -> list[Node]:
        found = self.members.get(name)
        if isinstance(found, Node):
            return [found]
        return [one for one in found if isinstance(one, Node)] if isinstance(found, list) else []


_TOKEN = re.compile(r'\s*([{}()]|\[[^\]]*\]|"(?:\\.|[^"\\])*"|(?:\\.|[^\s{}()\\])+)', re.DOTALL)


def parsed(text: str) -> Value:
    """The value that a tree is in Postgres' own notation."""
    tokens = iter(match[1] for match in _TOKEN.finditer(text))
    (value,) = _values(tokens, "")
    return value


def _values(tokens: Iterator[str], end: str) -> list[Value]:
    found: list[Value] = []
    for token in tokens:
        if token == end:
            return found
        found.append(_value(token, tokens))
    return found


def _value(token: str, tokens: Iterator[str]) -> Value:
    if token == "(":
        return _values(tokens, ")")
    if token == "{":
        return _node(next(tokens), _values(tokens, "}"))
    return None if token == "<>" else token


def _node(kind: str, words: list[Value]) -> Node:
    """A member may have more than one word, such as the bytes of a constant; the first is kept."""
    node, name = Node(kind), None
    for word in words:
        if isinstance(word, str) and word.startswith(":"):
            name = word[1:]
        elif name is not None:
            node.members.setdefault(name, word)
    return node


def all_nodes(value: Value) -> Iterator[Node]:
    """Every node in a value, from the outside in."""
    if isinstance(value, Node):
        yield value
        value = list(value.members.values())
    if isinstance(value, list):
        for one in value:
            yield from all_nodes(one)


_OF_ONE_CALL = re.compile(r"(?:\{CONST [^}]*\}\s*)+|\[[^]]*\]|\s-?\d{5,}|\s:\w*(?:loc\w*|_len)\s-?\d+")
"""What the trees of one statement differ by: constants, the oids of temporary tables, places in the text."""


@dataclass
class Heard:
    """What a database was asked while somebody listened: texts, and trees, each with the text that it is a part of."""

    texts: set[str] = field(default_factory=set)
    trees: list[tuple[str, str]] = field(default_factory=list)
    _known: set[tuple[str, str]] = field(default_factory=set)
    _text: str = ""

    def ask(self, text: str) -> None:
        self._text = text
        self.texts.add(text)

    def hear(self, diagnostic: psycopg.errors.Diagnostic) -> None:
        tree = diagnostic.message_detail
        if diagnostic.message_primary != "parse tree:" or not tree:
            return
        known = (self._text, _OF_ONE_CALL.sub("", tree))
        if known not in self._known:
            self._known.add(known)
            self.trees.append((tree, self._text))


@contextmanager
def listening(store: Store, patch: pytest.MonkeyPatch) -> Iterator[Heard]:
    """Hears what is asked of the database by connections made within, also what functions ask in their bodies."""
    heard = Heard()
    settings = ("debug_print_parse = on", "debug_pretty_print = off", "client_min_messages = log")
    with store.connect(autocommit=True) as connection:
        name = connection.info.dbname
        for setting in settings:
            connection.execute(f'ALTER DATABASE "{name}" SET {setting}'.encode())
    opened = psycopg.Connection.connect.__func__  # type: ignore[attr-defined]

    def connected(kind: type[Connection], *given: Any, **named: Any) -> Connection:
        connection: Connection = opened(kind, *given, **named)
        connection.add_notice_handler(heard.hear)
        return connection

    with patch.context() as patched:
        patched.setattr(psycopg.Connection, "connect", classmethod(connected))
        for kind, ask in (
            (psycopg.Cursor, "execute"),
            (psycopg.Cursor, "executemany"),
            (psycopg.Cursor, "copy"),
            (psycopg.ClientCursor, "execute"),
            (psycopg.ServerCursor, "execute"),
        ):
            patched.setattr(kind, ask, _telling(heard, getattr(kind, ask)))
        yield heard
    with store.connect(autocommit=True) as connection:
        connection.execute(f'ALTER DATABASE "{name}" RESET ALL'.encode())


def _telling(heard: Heard, ask: Callable[..., Any]) -> Callable[..., Any]:
    """The method of a cursor, which first says what it is asked."""

    def asked(cursor: Any, query: Any, *given: Any, **named: Any) -> Any:
        text = query.as_string(cursor) if isinstance(query, Composable) else query
        heard.ask(text.decode() if isinstance(text, bytes) else text)
        return ask(cursor, query, *given, **named)

    return asked


KEPT = """
SELECT 'view ' || ev_class::regclass, ev_action::text FROM pg_rewrite JOIN pg_class ON pg_class.oid = ev_class
WHERE relnamespace = ANY (%(schemas)s::regnamespace[])
UNION ALL
SELECT 'function ' || oid::regprocedure, prosqlbody::text FROM pg_proc
WHERE pronamespace = ANY (%(schemas)s::regnamespace[]) AND prosqlbody IS NOT NULL
UNION ALL
SELECT 'column ' || adrelid::regclass || '.' || attname, adbin::text FROM pg_attrdef
JOIN pg_attribute ON attrelid = adrelid AND attnum = adnum JOIN pg_class ON pg_class.oid = adrelid
WHERE relnamespace = ANY (%(schemas)s::regnamespace[])
UNION ALL
SELECT 'constraint ' || conname, conbin::text FROM pg_constraint
WHERE connamespace = ANY (%(schemas)s::regnamespace[]) AND conbin IS NOT NULL
UNION ALL
SELECT 'index ' || indexrelid::regclass, pg_node_tree::text
FROM pg_index JOIN pg_class ON pg_class.oid = indexrelid
CROSS JOIN LATERAL (VALUES (indexprs), (indpred)) AS kept (pg_node_tree)
WHERE relnamespace = ANY (%(schemas)s::regnamespace[]) AND pg_node_tree IS NOT NULL
"""


def kept_trees(connection: Connection, *schemas: str) -> dict[str, str]:
    """The trees that the catalog keeps of views, functions, defaults, generated columns, constraints and indexes."""
    return dict(connection.execute(KEPT, {"schemas": list(schemas)}).fetchall())
