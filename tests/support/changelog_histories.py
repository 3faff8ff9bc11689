"""Tables, snapshots and streams that hypothesis draws, and what they say in plain Python."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st

from lineage_core.changelog import Operation

KEY = ("id",)
EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
SCHEMA = pa.schema(
    [
        ("event_time", pa.timestamp("ms", tz="UTC")),
        ("id", pa.int64()),
        ("name", pa.string()),
        ("number", pa.float64()),
        ("many", pa.list_(pa.int64())),
        ("inner", pa.struct([("amount", pa.decimal128(6, 2)), ("is_new", pa.bool_())])),
    ]
)
DATA = [name for name in SCHEMA.names if name != "event_time"]

Row = dict[str, Any]

names = st.sampled_from([None, "", "a", "A", "é"])
numbers = st.sampled_from([None, 0.0, -0.0, 1.5, math.nan, -math.nan, math.inf])
lists = st.none() | st.lists(st.sampled_from([None, 1, 2]), max_size=2)
structs = st.none() | st.fixed_dictionaries(
    {"amount": st.none() | st.decimals(0, 1, places=1), "is_new": st.none() | st.booleans()}
)
times = st.none() | st.integers(0, 2).map(lambda days: EPOCH + timedelta(days=days))
values = st.fixed_dictionaries({"event_time": times, "name": names, "number": numbers, "many": lists, "inner": structs})
tables = st.dictionaries(st.integers(0, 5), values, max_size=5).map(
    lambda rows: [{"id": key} | rows[key] for key in rows]
)
"""Rows with a key each."""
multisets = st.lists(values.map(lambda row: {"id": 1} | row), max_size=5) | tables


def arrow(rows: Sequence[Row]) -> pa.Table:
    return pa.Table.from_pylist([{name: row[name] for name in SCHEMA.names} for row in rows], schema=SCHEMA)


def plain(value: Any) -> Any:
    """Equal for values that are the same, by the rules of `changelog.values`."""
    if isinstance(value, float):
        return "NaN" if math.isnan(value) else value + 0.0
    if isinstance(value, dict):
        return "struct", *((name, plain(one)) for name, one in sorted(value.items()))
    if isinstance(value, list):
        return "list", *(plain(one) for one in value)
    return value


def multiset(table: pa.Table, *columns: str) -> Counter[tuple[Any, ...]]:
    """The multiset of rows."""
    rows = table.select(list(columns) or SCHEMA.names).to_pylist()
    return Counter(tuple(plain(value) for value in row.values()) for row in rows)


def consolidated(records: pa.Table) -> dict[tuple[Any, ...], int]:
    """What records add and take away in sum, of each row."""
    weights = {Operation.APPEND: 1, Operation.CORRECT_TO: 1, Operation.RETRACT: -1, Operation.CORRECT_FROM: -1}
    total = Counter[tuple[Any, ...]]()
    for place, operation in enumerate(records.column("op").to_pylist()):
        (row,) = multiset(records.slice(place, 1))
        total[row] += weights[Operation(operation)]
    return {row: count for row, count in total.items() if count}


@st.composite
def successors(draw: st.DrawFn, rows: list[Row]) -> list[Row]:
    """A later table: rows of it are the same, lack their event time, differ in a column, are gone, or new."""
    made = {row["id"]: row for row in draw(tables)} if draw(st.booleans()) else {}
    for row in rows:
        column = draw(st.sampled_from([None, "event_time", "event_time", *(name for name in DATA if name != "id")]))
        if column is None:
            made.setdefault(row["id"], row)
        else:
            made[row["id"]] = row | {column: None if draw(st.booleans()) else draw(values)[column]}
    return list(made.values())


@st.composite
def streams(draw: st.DrawFn, first: int = 0, keyed: bool = True) -> tuple[list[Row], pa.Table]:
    """A state, and records of two events that follow from it: a key may change several times."""
    live = {row["id"]: row for row in draw(tables)}
    before, records = list(live.values()), list[tuple[Operation, Row]]()
    for key, new in draw(st.lists(st.tuples(st.integers(0, 5), st.none() | values), max_size=8)):
        old = live.get(key)
        row = None if new is None else {"id": key} | new
        if old is None and row is not None:
            records.append((Operation.APPEND, row))
        elif old is not None and row is None:
            records.append((Operation.RETRACT, old))
        elif old is not None and row is not None and plain(old) != plain(row):
            records += [(Operation.CORRECT_FROM, old), (Operation.CORRECT_TO, row)]
        else:
            continue
        live.pop(key, None)
        if row is not None:
            live[key] = row
    table = arrow([row for _, row in records])
    return before, table.add_column(0, "op", pa.array([int(operation) for operation, _ in records], pa.uint8()))
