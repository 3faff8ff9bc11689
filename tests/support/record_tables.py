"""Records of changelog streams as people write them: tables of Markdown, operations by their codes."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pyarrow as pa

from lineage_core.changelog import Operation

TIME = datetime(2026, 6, 1, tzinfo=UTC)

_TYPES = {"op": pa.uint8(), "place": pa.int64(), "match_id": pa.int64(), "score": pa.int64(), "old_score": pa.int64()}


def cells(text: str) -> tuple[list[str], list[list[str]]]:
    """The head of a table, and its rows."""
    lines = [[cell.strip() for cell in line.strip()[1:-1].split("|")] for line in text.strip().splitlines()]
    return lines[0], lines[2:]


def read(file: Path) -> pa.Table:
    """A table of a file. What is no number is a text, and an empty cell NULL."""
    return table(file.read_text())


def table(text: str) -> pa.Table:
    names, rows = cells(text)
    types = [_TYPES.get(name, pa.string()) for name in names]
    columns = [
        [_value(cell, name, kind) for cell in column]
        for name, kind, column in zip(names, types, _by_column(rows, len(names)), strict=True)
    ]
    return pa.table(
        [pa.array(column, kind) for column, kind in zip(columns, types, strict=True)],
        schema=pa.schema(list(zip(names, types, strict=True))),
    )


def _by_column(rows: list[list[str]], width: int) -> list[list[str]]:
    return [[row[place] for row in rows] for place in range(width)]


def _value(cell: str, name: str, kind: pa.DataType) -> Any:
    if name == "op":
        return int(Operation.of_code(cell))
    if not cell:
        return None
    return int(cell) if pa.types.is_integer(kind) else cell


def written(records: pa.Table, *left_out: str) -> list[tuple[Any, ...]]:
    """Records with the codes of their operations, without some columns."""
    kept = [name for name in records.column_names if name not in left_out]
    return [
        tuple(Operation(value).code if name == "op" else value for name, value in row.items())
        for row in records.select(kept).to_pylist()
    ]
