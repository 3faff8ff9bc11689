"""Streams as Iceberg tables: what is exported once, how their schemas grow, and what Iceberg cannot hold."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from pyiceberg.catalog import Catalog, load_catalog

from lineage_core.changelog import numbered
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.streams import iceberg
from lineage_core.streams.iceberg import ExportedStream, export, iceberg_records
from tests.support.lakes import answering, use_lake
from tests.support.record_tables import TIME

TABLE = "lineage.scores"


@pytest.fixture
def catalog(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Catalog]:
    """That of the page's example: a SQL catalog in a file of SQLite."""
    use_lake(tmp_path, monkeypatch)
    opened = load_catalog("lake")
    yield opened
    opened.close()


class Published:
    """A stream that grows."""

    def __init__(self) -> None:
        self.tables = list[pa.Table]()

    @property
    def next_offset(self) -> int:
        return sum(map(len, self.tables))

    def publish(self, **columns: list[Any] | pa.Array) -> None:
        rows = pa.table({name: values for name, values in columns.items() if name != "op"})
        changes = rows.append_column("op", pa.array(columns["op"], pa.uint8()))
        self.tables.append(numbered(changes, self.next_offset, TIME))

    def records(self, since: int) -> Iterator[pa.Table]:
        start = 0
        for table in self.tables:
            if start + len(table) > since:
                yield table.slice(max(since - start, 0))
            start += len(table)

    def exported(self, stream: str = "scores") -> ExportedStream:
        return export(stream, self.records, self.next_offset, "lake", TABLE)


@pytest.fixture
def stream() -> Published:
    made = Published()
    made.publish(op=[0, 0], id=[1, 2], score=[100, 80])
    return made


def rows(catalog: Catalog, *columns: str) -> list[tuple[Any, ...]]:
    found = catalog.load_table(TABLE).scan().to_arrow().sort_by("offset")
    return [tuple(row.values()) for row in found.select(list(columns)).to_pylist()]


def test_an_export_is_incremental_and_a_repeat_adds_nothing(catalog: Catalog, stream: Published) -> None:
    assert stream.exported() == ExportedStream("scores", TABLE, 2, 2)
    assert stream.exported() == ExportedStream("scores", TABLE, 0, 2)
    stream.publish(op=[2, 3], id=[2, 2], score=[80, 90])
    assert stream.exported().records == 2
    assert stream.exported().records == 0
    assert rows(catalog, "offset", "op", "id", "score") == [(0, 0, 1, 100), (1, 0, 2, 80), (2, 2, 2, 80), (3, 3, 2, 90)]
    table = catalog.load_table(TABLE)
    assert [(field.name, str(field.field_type)) for field in table.schema().fields][:4] == [
        ("offset", "long"),
        ("op", "int"),
        ("system_time", "timestamptz"),
        ("event_time", "timestamptz"),
    ]
    assert rows(catalog, "system_time")[0] == (TIME,)
    assert [snapshot.summary["lineage.next-offset"] for snapshot in table.snapshots() if snapshot.summary] == ["2", "4"]


def test_many_records_are_exported_in_several_commits_each_with_its_end(
    catalog: Catalog, stream: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(iceberg, "RECORDS_AT_ONCE", 2)
    for number in range(3, 6):
        stream.publish(op=[0], id=[number], score=[number])
    assert stream.exported() == ExportedStream("scores", TABLE, 5, 5)
    found = catalog.load_table(TABLE).snapshots()
    assert [snapshot.summary["lineage.next-offset"] for snapshot in found if snapshot.summary] == ["2", "4", "5"]
    assert rows(catalog, "id") == [(number,) for number in range(1, 6)]


def test_files_that_somebody_has_rewritten_are_exported_all_the_same(catalog: Catalog, stream: Published) -> None:
    stream.exported()
    table = catalog.load_table(TABLE)
    table.overwrite(table.scan().to_arrow())
    assert stream.exported() == ExportedStream("scores", TABLE, 0, 2)
    stream.publish(op=[0], id=[3], score=[70])
    assert stream.exported() == ExportedStream("scores", TABLE, 1, 3)
    assert rows(catalog, "id") == [(1,), (2,), (3,)]


def test_a_table_that_was_rolled_back_is_filled_again(catalog: Catalog, stream: Published) -> None:
    stream.exported()
    first = catalog.load_table(TABLE).current_snapshot()
    assert first is not None
    stream.publish(op=[0], id=[3], score=[70])
    stream.exported()
    catalog.load_table(TABLE).manage_snapshots().rollback_to_snapshot(first.snapshot_id).commit()
    assert stream.exported() == ExportedStream("scores", TABLE, 1, 3)
    assert rows(catalog, "id") == [(1,), (2,), (3,)]


def test_a_schema_grows_by_columns_and_keeps_the_ids_of_fields(catalog: Catalog, stream: Published) -> None:
    stream.exported()
    ids = {field.name: field.field_id for field in catalog.load_table(TABLE).schema().fields}
    stream.publish(op=[0], id=[3], score=[70], note=["new"])
    stream.exported()
    stream.tables.append(stream.tables.pop().drop_columns(["score"]))  # a column that was deleted
    stream.publish(op=[0], id=[4], note=["later"])
    stream.exported()
    assert rows(catalog, "id", "score", "note") == [(1, 100, None), (2, 80, None), (3, 70, "new"), (4, None, "later")]
    after = {field.name: field.field_id for field in catalog.load_table(TABLE).schema().fields}
    assert {name: after[name] for name in ids} == ids
    assert after["note"] not in ids.values()


def test_a_column_that_is_deleted_becomes_optional(catalog: Catalog, stream: Published) -> None:
    required = pa.field("score", pa.int64(), nullable=False)
    (first,) = stream.tables
    stream.tables = [first.cast(pa.schema([required if one.name == "score" else one for one in first.schema]))]
    stream.exported()
    stream.tables = [first.drop_columns(["score"])]
    stream.publish(op=[0], id=[3])
    assert stream.exported().records == 1
    assert rows(catalog, "id", "score") == [(1, 100), (2, 80), (3, None)]


def test_a_change_that_iceberg_cannot_hold_is_refused(catalog: Catalog, stream: Published) -> None:
    stream.exported()
    stream.tables = [pa.concat_tables(stream.tables).drop_columns(["score"])]
    stream.publish(op=[0], id=[3], score=["a text"])
    with pytest.raises(NeedsOperator, match="Iceberg's rules of schema evolution cannot hold what scores has become"):
        stream.exported()
    assert rows(catalog, "id") == [(1,), (2,)]


@pytest.mark.parametrize(
    ("column", "path", "why"),
    [
        (pa.array([1], pa.uint64()), "x", "signed one of 64 bits"),
        (pa.array([1], pa.timestamp("ns", tz="UTC")), "x", "nanoseconds would be cut"),
        (pa.array([1], pa.duration("s")), "x", "it has no such type"),
        (pa.array([{"y": [1]}], pa.struct({"y": pa.list_(pa.uint64())})), r"x\.y\.element", "signed one"),
    ],
)
def test_a_type_that_iceberg_lacks_is_refused_by_its_column(column: pa.Array, path: str, why: str) -> None:
    with pytest.raises(NeedsOperator, match=f"cannot hold the stream scores: `{path}` is .*{why}"):
        iceberg_records("scores", pa.table({"x": column}))


def test_types_that_iceberg_writes_otherwise_keep_their_values() -> None:
    changed = {
        "small": (pa.array([255], pa.uint8()), pa.int32()),
        "unsigned": (pa.array([2**32 - 1], pa.uint32()), pa.int64()),
        "seconds": (pa.array([1], pa.timestamp("s", tz="Asia/Kolkata")), pa.timestamp("us", tz="UTC")),
        "texts": (pa.array(["a"]).dictionary_encode(), pa.string()),
        "many": (pa.array([[1]], pa.large_list(pa.int16())), pa.list_(pa.int32())),
        "last": (pa.array([2**63 - 1], pa.timestamp("us", tz="UTC")), pa.timestamp("us", tz="UTC")),
    }
    made = iceberg_records("scores", pa.table({name: given for name, (given, _) in changed.items()}))
    assert made.schema.types == [kind for _, kind in changed.values()]
    assert made.column("seconds").cast(pa.int64()).to_pylist() == [1_000_000]
    assert made.select(["small", "unsigned", "many"]).to_pylist() == [
        {"small": 255, "unsigned": 2**32 - 1, "many": [1]}
    ]


def test_infinite_times_are_exported(catalog: Catalog, stream: Published) -> None:
    ends = pa.array([2**63 - 1, -(2**63) + 1], pa.timestamp("us", tz="UTC"))
    stream.publish(op=[0, 0], id=[3, 4], score=[1, 2], ends=ends)
    stream.exported()
    found = catalog.load_table(TABLE).scan().to_arrow().sort_by("offset").column("ends").cast(pa.int64()).to_pylist()
    assert found == [None, None, 2**63 - 1, -(2**63) + 1]


def test_of_two_exports_at_once_one_is_refused(
    catalog: Catalog, stream: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream.exported()
    stream.publish(op=[0], id=[3], score=[70])
    slow = catalog.load_table(TABLE)
    stream.exported()
    with monkeypatch.context() as patched:
        patched.setattr(iceberg, "_table_of", lambda *_: slow)
        with pytest.raises(TryAgain, match=r"Another commit to the Iceberg table .* came between"):
            stream.exported()
    assert rows(catalog, "id") == [(1,), (2,), (3,)]


def test_a_table_of_somebody_else_is_left_alone(catalog: Catalog, stream: Published) -> None:
    catalog.create_namespace("lineage")
    catalog.create_table(TABLE, pa.schema({"id": pa.int64()})).append(pa.table({"id": [1]}))
    with pytest.raises(NeedsOperator, match="no snapshot of it says that they are exported"):
        stream.exported()
    catalog.drop_table(TABLE)
    stream.exported()
    with catalog.load_table(TABLE).transaction() as change:
        change.remove_properties("commit.retry.num-retries")
    stream.publish(op=[0], id=[3], score=[70])
    with pytest.raises(NeedsOperator, match="has lost its property"):
        stream.exported()
    stream.tables.pop()
    with pytest.raises(NeedsOperator, match="has the stream scores: export other to another"):
        stream.exported("other")
    stream.tables = [stream.tables[0].slice(0, 1)]
    with pytest.raises(NeedsOperator, match="up to offset 1, and the stream only up to 0: it began again"):
        stream.exported()


@pytest.mark.parametrize(
    "uri",
    [
        pytest.param("postgresql+psycopg://writer:planted@127.0.0.1:1/catalog", id="SQL"),
        pytest.param("http://127.0.0.1:1", id="REST"),
    ],
)
def test_a_catalog_that_is_away_is_asked_again_later(
    tmp_path: Path, stream: Published, monkeypatch: pytest.MonkeyPatch, uri: str
) -> None:
    use_lake(tmp_path, monkeypatch, uri)
    with pytest.raises(TryAgain, match=r"cannot be used now: .*What was exported before stays; run again") as raised:
        stream.exported()
    assert "planted" not in str(raised.value)


@pytest.mark.parametrize(
    ("status", "kind"),
    [(401, NeedsOperator), (403, NeedsOperator), (419, NeedsOperator), (500, TryAgain), (503, TryAgain)],
)
def test_what_a_catalog_answers_tells_whether_a_person_is_needed(
    tmp_path: Path, stream: Published, monkeypatch: pytest.MonkeyPatch, status: int, kind: type[Exception]
) -> None:
    with answering(status) as uri:
        use_lake(tmp_path, monkeypatch, uri)
        with pytest.raises(kind, match=rf"Iceberg table {TABLE} .*What was exported before stays"):
            stream.exported()


def test_of_two_exports_that_make_the_table_one_is_asked_to_run_again(
    catalog: Catalog, stream: Published, monkeypatch: pytest.MonkeyPatch
) -> None:
    stream.exported()
    with monkeypatch.context() as patched:
        patched.setattr(iceberg, "_table_of", lambda *_: None)
        with pytest.raises(TryAgain, match=r"Another export made the Iceberg table lineage\.scores meanwhile"):
            stream.exported()
    assert rows(catalog, "id") == [(1,), (2,)]


def test_a_catalog_that_is_not_configured_is_reported() -> None:
    with pytest.raises(WrongUsage, match=r"There is no Iceberg catalog nowhere: .*PYICEBERG_CATALOG__NOWHERE__URI"):
        export("scores", Published().records, 0, "nowhere", TABLE)
