"""The state that a stream of ours describes: its records, applied from the first to the last."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa

from lineage_core.changelog import replay, validate
from lineage_core.declare.streams import SYSTEM_COLUMNS, DeclaredStream
from lineage_core.streams.arrow_records import arrow_schema

RECORDS_AT_ONCE = 1 << 18
"""Records that are applied together, at least: each time costs as much as the state is large."""

OFFSET = SYSTEM_COLUMNS[0]
SYSTEM_COLUMNS_OF_RECORDS = list(SYSTEM_COLUMNS[:3])
"""Those that rows have not: all but the event time."""


def replayed(stream: DeclaredStream, parts: Iterable[pa.Table], since: pa.Table | None = None) -> pa.Table:
    """The rows that are there after the last record, with their event time and data columns, in any order.

    parts: records of one schema. since: the rows before the first record, in that schema, as a checkpoint has them;
    none if None. Memory is that of the state, twice, and of the records that are applied together. Raises BrokenStream
    if a record does not follow from those before it.
    """
    state = _without_records(arrow_schema(stream).empty_table()) if since is None else since
    waiting = list[pa.Table]()
    for part in parts:
        waiting.append(part)
        if sum(map(len, waiting)) >= max(RECORDS_AT_ONCE, len(state)):
            state = _applied(stream, waiting, state)
            waiting.clear()
    return _applied(stream, waiting, state) if waiting else state


def _applied(stream: DeclaredStream, parts: list[pa.Table], state: pa.Table) -> pa.Table:
    records = pa.concat_tables(parts)
    before = state if len(state) else _without_records(records)
    validate(records, before, stream.key, expected_offset=parts[0].column(OFFSET)[0].as_py())
    return replay(records, before, stream.key)


def _without_records(records: pa.Table) -> pa.Table:
    """A state of no rows, of the schema that these records have."""
    return records.slice(0, 0).drop_columns(SYSTEM_COLUMNS_OF_RECORDS)
