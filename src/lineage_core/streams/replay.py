"""The state that a stream describes: its records, applied from the first to the last."""

from __future__ import annotations

from collections.abc import Iterable

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.operations import Operation
from lineage_core.model.streams import SYSTEM_COLUMNS, ChangelogStream
from lineage_core.streams.arrow_records import arrow_schema

_COPIES = "copies"
_OFFSET, _OPERATION, _, _EVENT_TIME = SYSTEM_COLUMNS
_COMES = pa.array([Operation.APPEND, Operation.CORRECT_TO], pa.uint8())


def replayed(stream: ChangelogStream, parts: Iterable[pa.Table]) -> pa.Table:
    """The rows that are there after the last record, with the event time and the columns of the stream.

    Memory is that of the state and of one part. `parts` come in the order of their offsets.
    """
    reduce = _last_of_each_key if stream.key else _counted
    state: pa.Table | None = None
    for part in parts:
        state = reduce(stream, part if state is None else pa.concat_tables([state, part], promote_options="default"))
    if state is None:
        state = arrow_schema(stream).empty_table()
    names = [_EVENT_TIME, *(column.name for column in stream.columns)]
    return state.select(names)


def _last_of_each_key(stream: ChangelogStream, records: pa.Table) -> pa.Table:
    last = records.group_by(list(stream.key)).aggregate([(_OFFSET, "max")]).column(f"{_OFFSET}_max")
    kept = pc.and_(pc.is_in(records.column(_OFFSET), last), pc.is_in(records.column(_OPERATION), _COMES))
    return records.filter(kept)


def _counted(stream: ChangelogStream, records: pa.Table) -> pa.Table:
    """Rows that came, less those that went. Each that is there counts once, as an append."""
    comes = pc.is_in(records.column(_OPERATION), _COMES)
    signed = records.append_column(_COPIES, pc.if_else(comes, 1, -1))
    names = [_EVENT_TIME, *(column.name for column in stream.columns)]
    net = signed.group_by(names).aggregate([(_COPIES, "sum"), (_OFFSET, "min")])
    copies = net.column(f"{_COPIES}_sum").to_pylist()
    places = [place for place, number in enumerate(copies) for _ in range(number)]
    rows = net.take(pa.array(places, pa.int64()))
    system = {
        _OFFSET: rows.column(f"{_OFFSET}_min"),
        _OPERATION: pa.repeat(pa.scalar(int(Operation.APPEND), pa.uint8()), len(rows)),
    }
    return pa.table({**system, **{name: rows.column(name) for name in names}})
