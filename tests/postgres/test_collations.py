"""No statement compares, orders or changes text as the collation of the database says."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

import pytest

from lineage_core import statements
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.support.collations import Judge
from tests.support.parse_trees import Heard, kept_trees, listening
from tests.support.whole_life import live

pytestmark = [pytest.mark.postgres, pytest.mark.old_mapping]

MAKES_OBJECTS = {"access", "capture", "functions", "triggers", "types", "views"}
"""Folders of statements of which the store is made: the catalog keeps the trees of objects. It asks all others."""

CALLED_BY_UPGRADES = ["capture_table"]
"""Upgrades call them in stores that they make, where functions have other numbers; what they ask is heard there."""
ASKS_NOTHING = {
    f"long_migrations/{name}/forget"
    for name in ("column-pairs", "column-schemas", "facets", "schema-fields", "schema-keys")
}
WITH_TRIGRAMS = {
    *(f"postgres/trigrams/{name}" for name in ("make", "make_beside", "drop", "comment")),
    *(f"answers/search/{name}" for name in ("has_text_by_index", "is_similar", "likeness", "similar")),
}
"""Asked only where the database has pg_trgm, which the embedded server lacks: by test_trigrams.py, in every locale."""
IN_TWO_STORES = "carry_over"
"""What is asked of an earlier store, and of the one made of it, by tests/migrations. Its order is by numbers."""

OF_OTHER_ENGINES = {PROJECT / "src" / "lineage_core" / "archive" / "relations.py"}
"""What Spark and DuckDB are asked. Postgres never sees it."""

IS_SQL = re.compile(r"\s*\(?(SELECT|INSERT|UPDATE|DELETE|WITH|COPY)\b")
MAY_ORDER = re.compile(
    r"ORDER BY|DISTINCT|(?<!=)[<>~]|\b(min|max|least|greatest|upper|lower|initcap|\w+_agg|\w*like)\b", re.I
)


@pytest.fixture(autouse=True)
def _server_prints_all_trees(pytestconfig: pytest.Config) -> None:
    if pytestconfig.getoption("--postgres") < 16:
        pytest.skip(
            "PostgreSQL 15 does not print the query of CREATE TABLE AS; what is asked is the same on every server"
        )


@pytest.fixture
def heard(database: Store, monkeypatch: pytest.MonkeyPatch) -> Heard:
    with listening(database, monkeypatch) as heard:
        live(database)
    return heard


@pytest.mark.slow
def test_no_statement_depends_on_the_collation_of_the_database(database: Store, heard: Heard) -> None:
    """By the types and collations that Postgres itself found in everything that it was asked, and in what it keeps."""
    with database.connect() as connection:
        judge = Judge(connection)
        kept = kept_trees(connection, "public", "staging", "staging_2", "changes")
        trees = [*heard.trees, *((tree, where) for where, tree in kept.items())]
        faults = {fault for tree, where in trees for fault in judge.faults(tree, where)}
        assert not faults
        unheard = _never_called(connection, [tree for tree, _ in trees])
    assert [*unheard, *sorted(set(_never_asked(heard)) - ASKS_NOTHING - WITH_TRIGRAMS)] == []


def _never_called(connection: Connection, trees: list[str]) -> list[str]:
    """The functions of the store that appear in no tree, as no one called them; what triggers call, no tree names."""
    functions = connection.execute(
        "SELECT oid::text, oid::regprocedure::text FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
        " AND prorettype <> 'trigger'::regtype AND proname <> ALL (%s)",
        [CALLED_BY_UPGRADES],
    ).fetchall()
    called = {oid for tree in trees for oid in re.findall(r":(?:funcid|winfnoid|aggfnoid)\s(\d+)", tree)}
    return [name for oid, name in functions if oid not in called]


def _never_asked(heard: Heard) -> Iterator[str]:
    """The scripts, and the SQL in Python that may order something, which the whole life of a store has left out."""
    for where, text in _texts():
        pieces = re.split(r"\{\w*\}", text.strip())
        if not any(all(piece in one for piece in pieces) for one in heard.texts):
            yield where


def _texts() -> Iterator[tuple[str, str]]:
    """Each text of SQL, with where it stands. In braces are names that are put in when it is asked."""
    for name in statements.all_names():
        if name.split("/")[1] not in MAKES_OBJECTS and name.split("/")[0] != IN_TWO_STORES:
            yield name, statements.named(name)
    for path in sorted({*(PROJECT / "src").rglob("*.py")} - OF_OTHER_ENGINES):
        for text in _sql_in(path.read_text()):
            yield f"{path.relative_to(PROJECT)}: {text}", text


def _sql_in(code: str) -> Iterator[str]:
    for node in ast.walk(ast.parse(code)):
        text = node.value if isinstance(node, ast.Constant) else None
        if isinstance(text, str) and IS_SQL.match(text) and MAY_ORDER.search(text):
            yield text


DEPENDS = {
    "SELECT min(name) FROM sources": "the aggregate min",
    "SELECT max(encode(event_order, 'hex')) FROM event_ledger": "the aggregate max",
    "SELECT upper(name) FROM sources": "the function upper",
    'SELECT name FROM sources ORDER BY lower(name) COLLATE "C"': "the function lower",
    "SELECT regexp_replace(name, '[a-z]', '', 'i') FROM sources": "the function regexp_replace",
    "SELECT name FROM sources ORDER BY 1": "ORDER BY",
    "SELECT name FROM sources ORDER BY name || 'x'": "ORDER BY",
    "SELECT array_agg(uuid ORDER BY name) FROM sources": "array_agg(... ORDER BY)",
    "SELECT string_agg(DISTINCT name, ',') FROM sources": "string_agg(DISTINCT)",
    "SELECT row_number() OVER (ORDER BY type) FROM sources": "OVER (ORDER BY)",
    "SELECT DISTINCT ON (uuid) name FROM sources ORDER BY uuid, name": "ORDER BY",
    "SELECT FROM sources WHERE name > 'a'": "the operator >",
    "SELECT FROM sources WHERE name BETWEEN 'a' AND 'b'": "the operator >=",
    "SELECT FROM sources WHERE (uuid, name) > (uuid, 'a')": "the operator >",
    "SELECT FROM sources WHERE name ~* 'a'": "the operator ~*",
    "SELECT FROM sources WHERE name ILIKE 'a'": "the operator ~~*",
    "SELECT greatest(name, 'a') FROM sources": "greatest or least",
    "SELECT facet FROM run_facets ORDER BY facet": "ORDER BY",
    "SELECT FROM run_facets WHERE facet < '{}'": "the operator <",
    "SELECT FROM sources ORDER BY (uuid, name)": "ORDER BY",
    "SELECT FROM sources ORDER BY ARRAY[name]": "ORDER BY",
    "SELECT (SELECT name FROM namespaces LIMIT 1) AS one FROM sources ORDER BY one": "ORDER BY",
    "WITH named AS (SELECT name FROM sources) SELECT FROM named ORDER BY name": "ORDER BY",
    "CREATE TEMP TABLE sorted AS SELECT name FROM sources ORDER BY name": "ORDER BY",
    "COPY (SELECT name FROM sources ORDER BY name) TO STDOUT": "ORDER BY",
    "DO $$ BEGIN PERFORM min(name) FROM sources; END $$": "the aggregate min",
    "UPDATE sources SET type = greatest(type, name)": "greatest or least",
    "INSERT INTO owners (uuid, created_at, name) VALUES (gen_random_uuid(), now(), 'a')"
    " ON CONFLICT (name) DO UPDATE SET name = least(owners.name, excluded.name)": "greatest or least",
}
IS_BLIND = [
    "SELECT name, count(*), count(DISTINCT type) FROM sources GROUP BY name",
    "SELECT DISTINCT name FROM sources WHERE name = 'a' AND type <> 'b' AND name = ANY (ARRAY['a', 'b'])",
    "SELECT name FROM sources UNION SELECT name FROM namespaces",
    'SELECT name FROM sources ORDER BY name COLLATE "C", uuid, created_at',
    "SELECT DISTINCT ON (name) uuid FROM sources ORDER BY name, uuid",
    'SELECT min(event_time), max(event_order::text COLLATE "C") FROM event_ledger',
    "SELECT row_number() OVER (PARTITION BY name ORDER BY created_at) FROM sources",
    'SELECT upper(name COLLATE "C"), greatest(name COLLATE "C", \'a\') FROM sources ORDER BY ARRAY[uuid]',
    "SELECT FROM sources WHERE (uuid, name COLLATE \"C\") > (uuid, 'a')",
    "SELECT FROM sources WHERE name LIKE 'a%' AND name IS DISTINCT FROM 'b'",
    "SELECT relname FROM pg_class ORDER BY relname",
]


def test_what_depends_on_the_collation_is_found(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    found = _found(database, monkeypatch, list(DEPENDS))
    assert {statement: what for statement, what in DEPENDS.items() if what not in found[statement]} == {}


def test_equality_and_what_names_its_collation_are_no_fault(database: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    assert _found(database, monkeypatch, IS_BLIND) == {statement: set() for statement in IS_BLIND}


def _found(store: Store, patch: pytest.MonkeyPatch, statements: list[str]) -> dict[str, set[str]]:
    with listening(store, patch) as heard, store.connect() as connection:
        for statement in statements:
            if statement.startswith("COPY"):
                with connection.cursor().copy(statement.encode()) as copy:
                    list(copy)
            else:
                connection.execute(statement.encode())
    with store.connect() as connection:
        judge = Judge(connection)
        found: dict[str, set[str]] = {text: set() for _, text in heard.trees if text in statements}
        for tree, text in heard.trees:
            found.setdefault(text, set()).update(fault.what for fault in judge.faults(tree, text))
    return {statement: found[statement] for statement in statements}
