"""Rows as another writer makes them, such as Marquez' server: with uuids of his own where Marquez draws them."""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterator
from typing import Any
from uuid import uuid4

from psycopg import sql

from lineage_core.declare.tables import table_named
from lineage_core.declare.vocabulary import Column, Table
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from tests.support.stores import contents

DRAWN = {
    "namespaces": ("name",),
    "sources": ("name",),
    "tags": ("name",),
    "owners": ("name",),
    "run_args": ("checksum",),
    "jobs": ("namespace_uuid", "namespace_name", "name"),
    "datasets": ("namespace_uuid", "namespace_name", "name"),
    "dataset_fields": ("dataset_uuid", "name", "type"),
    "dataset_versions": ("dataset_uuid", "version"),
    "job_versions": ("job_uuid", "version"),
}
"""Tables for whose rows Marquez draws uuids, with the columns by which it finds a row."""

DERIVED = {
    "dataset_symlinks": ("namespace_uuid", "name", "dataset_uuid"),
    "dataset_schema_versions": ("dataset_uuid",),
    "runs": ("job_uuid",),
}
"""Tables whose keys are the same whoever makes the row, with the columns beside the uuid that he has to know."""

LONG_AGO = "2001-02-03T04:05:06+00:00"


class OthersRows:
    """The rows of a filled store, as another would have made them."""

    def __init__(self, filled: Store) -> None:
        self._uuids: dict[str, str] = {}
        self._rows: dict[str, list[dict[str, Any]]] = {}
        with filled.connect() as connection:
            for name in (*DRAWN, *DERIVED):
                found = connection.execute(sql.SQL("SELECT to_jsonb(r) FROM {} AS r").format(sql.Identifier(name)))
                self._rows[name] = [row for (row,) in found]
        for name in DRAWN:
            self._uuids |= {row["uuid"]: str(uuid4()) for row in self._rows[name]}
        self._expected = contents(filled)

    def insert(self, connection: Connection, name: str) -> None:
        """The rows of a table, and those that they refer to, unless there are others of their names."""
        for one in (*_parents(table_named(name)), name):
            columns = list(_columns(one))
            known = _named_by_other_tables(connection)
            for row in self._rows[one]:
                made = json.dumps({column.name: _value(row, column, one) for column in columns})
                made = _replaced(made, self._uuids | known)
                derived = {"version"} if one in DRAWN else {"uuid"}
                made = json.dumps(json.loads(made) | {name: row[name] for name in derived & row.keys()})
                _insert(connection, one, [column.name for column in columns], made, row.get("uuid"))

    def insert_all(self, connection: Connection) -> None:
        for name in (*DRAWN, *DERIVED):
            self.insert(connection, name)

    def differences(self, store: Store) -> dict[str, tuple[list[str], list[str]]]:
        """What another store has otherwise than the filled one, uuids apart: rows that only the one, the other has."""
        ours = {theirs: ours for ours, theirs in self._uuids.items()}
        found = {}
        for name, texts in contents(store).items():
            if name == "identity_map":
                continue
            made = Counter(_in_order(_without_digests(_replaced(text, ours))) for text in texts)
            expected = Counter(_in_order(_without_digests(text)) for text in self._expected[name])
            if made != expected:
                found[name] = (list(expected - made), list(made - expected))
        return found

    def taken(self, store: Store) -> set[str]:
        """The tables of which the store holds rows with uuids of others."""
        drawn = set(self._uuids.values())
        with store.connect() as connection:
            return {
                name
                for name in DRAWN
                for (uuid,) in connection.execute(
                    sql.SQL("SELECT uuid::text FROM {}").format(sql.Identifier(name))
                ).fetchall()
                if uuid in drawn
            }


def _insert(connection: Connection, table: str, columns: list[str], made: str, derived_uuid: str | None) -> None:
    """Unless there is a row of its key, or of the uuid that this key derives: not every key is unique."""
    text = (
        "INSERT INTO {table} ({names}) SELECT {names} FROM jsonb_populate_record(NULL::{table}, %s)"
        " WHERE NOT EXISTS (SELECT FROM {table} AS stored WHERE to_jsonb(stored) ->> 'uuid' = %s)"
        " ON CONFLICT DO NOTHING"
    )
    names = sql.SQL(", ").join(map(sql.Identifier, columns))
    statement = sql.SQL(text).format(table=sql.Identifier(table), names=names)
    connection.execute(statement, [made, derived_uuid])


def _replaced(text: str, uuids: dict[str, str]) -> str:
    for old, new in uuids.items():
        text = text.replace(old, new)
    return text


_FIELDS = re.compile(r'(?<="field_uuids": \[)[^]]*')
_PAIRS = (
    "output_field_uuids",
    "input_field_uuids",
    "transformation_descriptions",
    "transformation_types",
    "first_stated_at",
    "last_stated_at",
)


def _in_order(text: str) -> str:
    """The columns of a schema version, and the pairs of a list, stand in the order of uuids."""
    if _PAIRS[0] in text:
        row = json.loads(text)
        filled = [name for name in _PAIRS if row[name] is not None]
        pairs = sorted(zip(*(row[name] for name in filled), strict=True), key=str)
        return json.dumps(row | {name: [pair[place] for pair in pairs] for place, name in enumerate(filled)})
    return _FIELDS.sub(lambda listed: ", ".join(sorted(listed[0].split(", "))), text)


_DIGESTS = re.compile(r'("history_uuid": |"pairs_uuid": |^{"uuid": (?=.*"history": ))"[^"]*"')


def _without_digests(text: str) -> str:
    """The ids of histories of schemas and of lists of pairs are digests of what they hold, uuids among it."""
    return _DIGESTS.sub(r"\1null", text)


def _named_by_other_tables(connection: Connection) -> dict[str, str]:
    """The uuids that are in use as they are derived: the other finds these rows, and refers to them."""
    known = {}
    for name in DRAWN:
        for (uuid,) in connection.execute(sql.SQL("SELECT uuid::text FROM {}").format(sql.Identifier(name))):
            known[uuid] = uuid
    return known


def _parents(table: Table) -> Iterator[str]:
    for column in table.columns:
        name = column.reference.table if column.reference else None
        if name in DRAWN and name != table.name and _is_filled(column, table.name):
            yield from _parents(table_named(name))
            yield name


def _columns(name: str) -> Iterator[Column]:
    """Those that Marquez has, and that are no other's: without what no one need say."""
    return (column for column in table_named(name).columns if _is_filled(column, name))


def _is_filled(column: Column, table: str) -> bool:
    known = (DRAWN | DERIVED)[table]
    return column.name in ("uuid", *known) or (not column.nullable and column.default is None)


def _value(row: dict[str, Any], column: Column, table: str) -> Any:
    if column.name.endswith("_at"):
        return LONG_AGO
    if column.name in ("uuid", *(DRAWN | DERIVED)[table]) or column.reference or column.name.endswith("uuid"):
        return row[column.name]
    return "of another" if isinstance(row[column.name], str) else row[column.name]
