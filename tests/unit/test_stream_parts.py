"""Stream parts: the physical form that seed 002 asks for, names that follow from content, and damage that is found."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from lineage_core.changelog import Changelog, write_part
from lineage_core.changelog.logical_hash import logical_hash
from lineage_core.changelog.parts import FIELD_ID, described_part, read_part
from lineage_core.changelog.vocabulary import DatasetVocabulary
from lineage_core.errors import BrokenStream, NeedsOperator, WrongUsage
from lineage_core.files import FileFolder

TIME = datetime(2026, 6, 1, 12, tzinfo=UTC)
DATA = {
    "name": ["Ann", "é", None],
    "nested": [{"n": 1, "list": [1.5, None]}, None, {"n": None, "list": []}],
    "entries": pa.array([[("k", 1)], [], None], pa.map_(pa.string(), pa.int32())),
    "amount": [Decimal("1.10"), None, Decimal("-7.00")],
    "is_new": [True, None, False],
}


def records(operations: tuple[int, ...] = (0, 2, 3), first: int = 7, **data: Any) -> pa.Table:
    rows = len(operations)
    return pa.table(
        {
            "offset": pa.array(range(first, first + rows), pa.int64()),
            "op": pa.array(operations, pa.uint8()),
            "system_time": [TIME] * rows,
            "event_time": [TIME - timedelta(days=1)] * (rows - 1) + [None],
            **(data or DATA),
        }
    )


@pytest.fixture
def folder(tmp_path: Path) -> FileFolder:
    return FileFolder(str(tmp_path / "history"))


def file_of(folder: FileFolder, name: str) -> Path:
    return Path(folder.file(name))


def columns_of(path: Path) -> dict[str, Any]:
    group = pq.ParquetFile(path).metadata.row_group(0)
    return {group.column(n).path_in_schema: group.column(n) for n in range(group.num_columns)}


def test_system_columns_have_the_types_and_encodings_of_the_seed(folder: FileFolder) -> None:
    part = write_part(folder, "runs", 0, records())
    columns = columns_of(file_of(folder, part.name))
    assert [column.physical_type for column in columns.values()][:4] == ["INT64", "INT32", "INT64", "INT64"]
    assert "DELTA_BINARY_PACKED" in columns["offset"].encodings
    assert "RLE_DICTIONARY" not in columns["offset"].encodings
    for name in ("op", "system_time", "event_time"):
        assert "RLE_DICTIONARY" in columns[name].encodings, name
        assert columns[name].has_dictionary_page, name
    assert {column.compression for column in columns.values()} == {"ZSTD"}
    schema = pq.ParquetFile(file_of(folder, part.name)).schema
    assert "bitWidth=8, isSigned=false" in str(schema.column(1).logical_type)
    assert "isAdjustedToUTC=true, timeUnit=milliseconds" in str(schema.column(2).logical_type)


def test_a_part_is_read_as_it_was_written(folder: FileFolder) -> None:
    written = records()
    read = read_part(folder, write_part(folder, "runs", 0, written))
    assert read.schema.field("op").type == pa.uint8()
    assert read.schema.field("offset").type == pa.int64()
    assert read.schema.field("event_time").type == pa.timestamp("ms", tz="UTC")
    assert [field.nullable for field in read.schema][:4] == [False, False, False, True]
    assert read.to_pylist() == written.to_pylist()


def test_the_footer_says_what_the_part_is(folder: FileFolder) -> None:
    part = write_part(folder, "runs", 3, records())
    metadata = pq.read_schema(file_of(folder, part.name)).metadata
    assert {key: metadata[key] for key in (b"stream", b"schema_id", b"first_offset", b"last_offset")} == {
        b"stream": b"runs",
        b"schema_id": b"3",
        b"first_offset": b"7",
        b"last_offset": b"9",
    }
    assert metadata[b"logical_hash"].decode() == part.logical_hash
    assert described_part(folder, part.name) == part


def test_a_column_keeps_its_id(folder: FileFolder) -> None:
    schema = pa.schema([*list(records().schema)[:4], pa.field("name", pa.string(), metadata={FIELD_ID: b"12"})])
    part = write_part(folder, "runs", 0, records(name=["a", "b", "c"]).cast(schema))
    schema = pq.read_schema(file_of(folder, part.name))
    assert schema.field("name").metadata[FIELD_ID] == b"12"
    assert len({field.metadata[FIELD_ID] for field in schema}) == len(schema)


def test_the_name_follows_from_the_content(folder: FileFolder) -> None:
    part = write_part(folder, "runs", 0, records())
    assert part.name.startswith(f"{7:020d}-{9:020d}-s0-{part.physical_hash[:16]}")
    assert (part.rows, part.bytes) == (3, file_of(folder, part.name).stat().st_size)
    before = file_of(folder, part.name).stat()
    assert write_part(folder, "runs", 0, records()) == part
    after = file_of(folder, part.name).stat()
    assert (after.st_ino, after.st_mtime_ns) == (before.st_ino, before.st_mtime_ns), "it was written again"
    other = write_part(folder, "runs", 0, records(name=["a", "b", "c"]))
    assert other.name != part.name
    assert len(list(Path(folder.url).iterdir())) == 2


@pytest.mark.parametrize("url", ["memory://streams", None])
def test_parts_may_be_anywhere_that_fsspec_knows(tmp_path: Path, url: str | None) -> None:
    folder = FileFolder(url or f"file://{tmp_path}")
    part = write_part(folder, "runs", 0, records())
    assert read_part(folder, part).num_rows == 3
    assert write_part(folder, "runs", 0, records()) == part


@pytest.mark.parametrize("damage", ["gone", "shorter", "another byte"])
def test_a_damaged_part_is_not_read(folder: FileFolder, damage: str) -> None:
    part = write_part(folder, "runs", 0, records())
    file = file_of(folder, part.name)
    data = file.read_bytes()
    if damage == "gone":
        file.unlink()
    else:
        file.write_bytes(data[:-1] if damage == "shorter" else data[:50] + bytes([data[50] ^ 1]) + data[51:])
    with pytest.raises(NeedsOperator, match=f"{part.name} is damaged"):
        read_part(folder, part)
    with pytest.raises(NeedsOperator, match="is damaged"):
        described_part(folder, part.name)
    if damage != "gone":
        with pytest.raises(NeedsOperator, match="Remove it"):
            write_part(folder, "runs", 0, records())


def test_another_name_is_no_part(folder: FileFolder) -> None:
    with pytest.raises(WrongUsage, match="is no stream part"):
        described_part(folder, "manifest.json")


def changed(column: str, values: Any) -> pa.Table:
    place = records().column_names.index(column)
    return records().set_column(place, column, values)


REFUSED = {
    "no records": (records().slice(0, 0), "at least one record"),
    "a gap": (changed("offset", pa.array([7, 9, 10])), "9 stands where 8 belongs"),
    "a negative offset": (changed("offset", pa.array([-1, 0, 1])), "-1 stands where 0 belongs"),
    "a fifth operation": (changed("op", pa.array([0, 0, 4])), "has 4"),
    "no operation column": (records().drop_columns(["op"]), "no operation column `op`"),
    "observations": (records().rename_columns(["offset", "obsv", *records().column_names[2:]]), "were replaced by"),
    "an operation without a number": (changed("op", pa.array([0, 2, None])), "holds no NULL"),
    "an operation as text": (changed("op", pa.array(["+A", "-C", "+C"])), "must be uint8"),
    "no system time": (records().drop_columns(["system_time"]), "no column system_time"),
    "a time without a zone": (changed("system_time", pa.array([TIME.replace(tzinfo=None)] * 3)), "no time zone"),
    "a time as text": (changed("event_time", pa.array(["2026"] * 3)), "must be timestamp"),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_is_no_slice_is_refused(folder: FileFolder, what: str) -> None:
    table, message = REFUSED[what]
    with pytest.raises(WrongUsage, match=message):
        write_part(folder, "runs", 0, table)
    assert not Path(folder.url).exists()


@pytest.mark.parametrize(
    ("operations", "offset"), [((0, 2), 8), ((3, 0), 7), ((2, 0, 3), 7), ((2, 2, 3), 7), ((2, 3, 3), 9), ((0, 3), 8)]
)
def test_a_pair_is_never_split(folder: FileFolder, operations: tuple[int, ...], offset: int) -> None:
    with pytest.raises(BrokenStream) as refused:
        write_part(folder, "runs", 0, records(operations, name=["a"] * len(operations)))
    assert refused.value.offset == offset
    assert f"Record {offset} of the changelog stream" in str(refused.value)


def test_times_are_cut_to_milliseconds_also_before_1970(folder: FileFolder) -> None:
    before = datetime(1969, 12, 31, 23, 59, 59, 999_999, tzinfo=UTC)
    part = write_part(folder, "runs", 0, changed("event_time", pa.array([before] * 3)))
    assert read_part(folder, part).column("event_time")[0].as_py() == before.replace(microsecond=999_000)


def test_the_event_time_may_be_a_date(folder: FileFolder) -> None:
    part = write_part(folder, "runs", 0, changed("event_time", pa.array([TIME.date()] * 3)))
    assert read_part(folder, part).schema.field("event_time").type == pa.date32()


def test_system_columns_may_have_other_names(folder: FileFolder) -> None:
    vocabulary = DatasetVocabulary(offset="no", operation_type="operation")
    table = records(name=["a", "b", "c"]).rename_columns(["no", "operation", "system_time", "event_time", "name"])
    table = table.append_column("op", pa.array(["x", "y", None])).append_column("offset", pa.array([9, 9, 1]))
    part = Changelog(vocabulary).write_part(folder, "runs", 0, table)
    assert read_part(folder, part).to_pylist() == table.to_pylist()
    columns = columns_of(file_of(folder, part.name))
    assert "DELTA_BINARY_PACKED" in columns["no"].encodings
    assert columns["operation"].physical_type == "INT32"
    assert "DELTA_BINARY_PACKED" not in columns["offset"].encodings


def test_the_logical_hash_knows_no_encoding() -> None:
    table = records()
    chunked = pa.concat_tables([table.slice(0, 1), table.slice(1)])
    encoded = table.set_column(4, "name", table.column("name").combine_chunks().dictionary_encode())
    large = table.set_column(4, "name", table.column("name").cast(pa.large_string()))
    hidden = pa.concat_tables([records(), records()]).slice(3)
    for same in (chunked, encoded, large, hidden, chunked.combine_chunks()):
        assert logical_hash(same) == logical_hash(table)


def test_the_logical_hash_knows_no_value_below_null() -> None:
    validity = pa.array([True, False]).buffers()[1]
    one, other = (
        pa.Array.from_buffers(pa.int64(), 2, [validity, pa.array([1, hidden]).buffers()[1]]) for hidden in (5, 6)
    )
    assert logical_hash(pa.table({"a": one})) == logical_hash(pa.table({"a": other}))


OTHERS = {
    "another value": pa.table({"a": [1, 3]}),
    "NULL for zero": pa.table({"a": pa.array([1, None], pa.int64())}),
    "another order": pa.table({"a": [2, 1]}),
    "another name": pa.table({"b": [1, 2]}),
    "another type": pa.table({"a": pa.array([1, 2], pa.int32())}),
    "in a struct": pa.table({"a": [{"a": 1}, {"a": 2}]}),
    "in a list": pa.table({"a": [[1, 2], []]}),
    "in lists divided otherwise": pa.table({"a": [[1], [2]]}),
    "as text": pa.table({"a": ["1", "2"]}),
    "as text divided otherwise": pa.table({"a": ["12", ""]}),
}


def test_the_logical_hash_tells_what_differs() -> None:
    hashes = {what: logical_hash(table) for what, table in OTHERS.items()}
    hashes["itself"] = logical_hash(pa.table({"a": [1, 2]}))
    hashes["zero"] = logical_hash(pa.table({"a": [1, 0]}))
    assert len({*hashes.values()}) == len(hashes)
