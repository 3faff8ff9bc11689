"""Types of changelog streams: what is stored reads back as it is, and the rest is refused with what helps."""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from typing import Any
from uuid import UUID

import pyarrow as pa
import pytest

from lineage_core.changelog import Snapshot, StreamFolder, merge, numbered, replay, write_part
from lineage_core.changelog.types import REFUSED, STORED, stored_type
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.settings import PROJECT

NOW = datetime(2026, 1, 1, tzinfo=UTC)
DAY = date(2026, 1, 1)
PLAIN = NOW.replace(tzinfo=None)

KEPT: dict[str, tuple[pa.DataType, Any]] = {
    "int8": (pa.int8(), 1),
    "uint32": (pa.uint32(), 1),
    "int64": (pa.int64(), 1 << 62),
    "float32": (pa.float32(), 0.5),
    "float64": (pa.float64(), 0.1),
    "decimal128": (pa.decimal128(38, 2), Decimal("1.25")),
    "bool": (pa.bool_(), True),
    "string": (pa.string(), "a"),
    "binary": (pa.binary(), b"a"),
    "date32": (pa.date32(), DAY),
    "timestamp[ms]": (pa.timestamp("ms"), PLAIN),
    "timestamp[us]": (pa.timestamp("us"), PLAIN),
    "instant": (pa.timestamp("us", tz="UTC"), NOW),
    "large_string": (pa.large_string(), "a"),
    "large_binary": (pa.large_binary(), b"a"),
    "large_list": (pa.large_list(pa.large_string()), ["a"]),
    "a list of a fixed size": (pa.list_(pa.int64(), 2), [1, 2]),
    "list": (pa.list_(pa.int64()), [1, None]),
    "map": (pa.map_(pa.string(), pa.int64()), [("a", 1)]),
    "struct": (pa.struct([("a", pa.string())]), {"a": "b"}),
}

OTHERS: dict[str, tuple[pa.DataType, Any, pa.DataType]] = {
    "an instant in a zone": (pa.timestamp("us", tz="America/New_York"), NOW, pa.timestamp("us", tz="UTC")),
    "seconds": (pa.timestamp("s"), PLAIN, pa.timestamp("ms")),
    "seconds in a zone": (pa.timestamp("s", tz="Europe/Paris"), NOW, pa.timestamp("ms", tz="UTC")),
    "date64": (pa.date64(), DAY, pa.date32()),
    "categoricals": (pa.dictionary(pa.int8(), pa.string()), "a", pa.string()),
    "string_view": (pa.string_view(), "a", pa.string()),
    "binary_view": (pa.binary_view(), b"a", pa.binary()),
    "decimal32": (pa.decimal32(9, 2), Decimal("1.25"), pa.decimal128(9, 2)),
    "decimal64": (pa.decimal64(18, 2), Decimal("1.25"), pa.decimal128(18, 2)),
    "seconds in a list": (pa.list_(pa.timestamp("s")), [PLAIN], pa.list_(pa.timestamp("ms"))),
    "a category in a struct": (
        pa.struct([("a", pa.dictionary(pa.int8(), pa.string()))]),
        {"a": "b"},
        pa.struct([("a", pa.string())]),
    ),
    "large texts in a map": (
        pa.map_(pa.large_string(), pa.date64()),
        [("a", DAY)],
        pa.map_(pa.large_string(), pa.date32()),
    ),
}

CASES = {name: (kind, value, kind) for name, (kind, value) in KEPT.items()} | OTHERS

NOT_STORED: dict[str, pa.Array] = {
    "null": pa.nulls(1),
    "nanoseconds": pa.array([PLAIN], pa.timestamp("ns")),
    "time32": pa.array([1], pa.time32("s")),
    "time64": pa.array([1], pa.time64("us")),
    "decimal256": pa.array([Decimal("1.25")], pa.decimal256(40, 2)),
    "float16": pa.array([1.0], pa.float16()),
    "duration": pa.array([timedelta(1)], pa.duration("us")),
    "struct<>": pa.array([{}], pa.struct([])),
    "run-end encoded": pa.RunEndEncodedArray.from_arrays([1], ["a"]),
    "uuid": pa.array([UUID(int=1).bytes], pa.uuid()),
    "a list of time": pa.array([[1]], pa.list_(pa.time64("us"))),
    "a struct with nanoseconds": pa.array([{"a": None}], pa.struct([("a", pa.timestamp("ns"))])),
}


def table(values: pa.Array) -> pa.Table:
    return pa.table({"id": pa.array(range(len(values)), pa.int64()), "value": values})


def published(stream: StreamFolder, batch: pa.Table) -> int:
    """How many records a batch makes."""
    head = stream.head()
    state = replay(stream.records(head), primary_key=["id"]) if head.parts else None
    changes = merge(Snapshot(("id",)), state, batch)
    if changes.num_rows:
        records = numbered(changes, head.next_offset, NOW)
        stream.append(head, [write_part(stream.history, stream.name, 0, records)], NOW)
    return int(changes.num_rows)


@pytest.fixture
def stream(tmp_path: Any) -> StreamFolder:
    return StreamFolder(FileFolder(str(tmp_path)), "types")


@pytest.mark.parametrize("name", CASES)
def test_what_is_stored_once_is_stored_for_ever(name: str, stream: StreamFolder) -> None:
    kind, value, stored = CASES[name]
    whole = table(pa.array([value, None, value], pa.string() if pa.types.is_dictionary(kind) else kind).cast(kind))
    assert published(stream, whole) == 3
    found = stream.records(stream.head())
    assert found.schema.field("value").type == stored
    assert found.column("value").to_pylist() == [value, None, value]
    assert published(stream, whole) == 0, "the same again is no change"
    nothing = whole.set_column(1, "value", pa.nulls(3))
    assert published(stream, nothing) == 4, "a batch of nothing but NULL has the type of the state"
    assert stored_type(stored, "value") == stored


@pytest.mark.parametrize("name", NOT_STORED)
def test_what_is_not_stored_is_refused_with_what_to_cast_it_to(name: str, stream: StreamFolder) -> None:
    with pytest.raises(WrongUsage, match=r"^`value[a-z.]*` is .*Cast it to"):
        published(stream, table(NOT_STORED[name]))
    assert stream.head().commits == 0


def test_two_columns_of_one_name_are_refused(stream: StreamFolder) -> None:
    doubled = pa.Table.from_arrays([pa.array([1]), pa.array([2]), pa.array([3])], names=["id", "value", "value"])
    with pytest.raises(WrongUsage, match="has two columns `value`"):
        published(stream, doubled)


def test_the_table_of_types_is_the_documented_one() -> None:
    page = (PROJECT / "docs" / "how-to" / "publish-a-stream.md").read_text()
    documented = set(re.findall(r"^\| .* \|$", page, re.MULTILINE))
    stored = {f"| {one.name} | {one.stored} |" for one in STORED}
    refused = {f"| {one.name} | {one.why} | {one.cast_to} |" for one in REFUSED}
    assert stored | refused <= documented
