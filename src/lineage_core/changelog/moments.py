"""Where a stream ends if it is read as it was: at some record, or at some time."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Sequence
from datetime import datetime

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.bins import Part


def offset_at(moment: datetime, parts: Sequence[Part], system_times: Callable[[Part], pa.ChunkedArray]) -> int:
    """The offset of the first record whose system time is `moment` or later; behind the last record if none is.

    system_times: those of a part, in milliseconds. A system time never goes back, so only some parts are looked at.
    """
    place = bisect_left(parts, moment, key=lambda part: system_times(part)[-1].as_py())
    if place == len(parts):
        return parts[-1].end_offset + 1 if parts else 0
    earlier = pc.sum(pc.less(system_times(parts[place]), pa.scalar(moment, pa.timestamp("us", tz="UTC")))).as_py()
    return parts[place].start_offset + int(earlier or 0)


def records_between(records: pa.Table, start: int, begin: int, end: int) -> pa.Table:
    """Those from the offset `begin` on and before `end`, of records of which the first has the offset `start`."""
    first = max(begin - start, 0)
    return records.slice(first, max(end - start - first, 0))
