"""Changelog streams on Spark: what the Arrow rules give, whatever the partitions."""

from __future__ import annotations

import random
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from lineage_core.changelog import (
    Append,
    ChangelogStream,
    Form,
    Ledger,
    MergeStrategy,
    Snapshot,
    UpsertStream,
    converted,
    merge,
    numbered,
    read_part,
    replay,
)
from lineage_core.errors import BrokenStream, WrongUsage
from lineage_core.files import FileFolder
from tests.support.changelog_histories import DATA, EPOCH, KEY, arrow, multiset, plain
from tests.support.record_tables import TIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.slow]

FIRST = 7
STRATEGIES: list[MergeStrategy] = [
    Append(),
    Ledger(KEY),
    Snapshot(KEY),
    Snapshot(),
    Snapshot(KEY, ("name",)),
    UpsertStream(KEY),
]


@pytest.fixture(autouse=True)
def few_partitions(spark: SparkSession) -> None:
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    spark.conf.set("spark.sql.session.timeZone", "Asia/Kolkata")


def rows(seed: int, count: int, keys: int) -> pa.Table:
    """Rows with many equal and many special values, each key once."""
    chance = random.Random(seed)
    return arrow(
        [
            {
                "event_time": chance.choice([None, EPOCH]),
                "id": key,
                "name": chance.choice([None, "a", "é", "z"]),
                "number": chance.choice([None, 0.0, -0.0, float("nan"), 1.5]),
                "many": chance.choice([None, [], [1, None]]),
                "inner": chance.choice([None, {"amount": None, "is_new": True}]),
            }
            for key in chance.sample(range(keys), count)
        ]
    )


def frame(spark: SparkSession, table: pa.Table, partitions: int = 5) -> DataFrame:
    made = pa.Table.from_arrays(
        [column.cast(pa.int16()) if column.type == pa.uint8() else column for column in table.columns],
        table.column_names,
    )
    return spark.createDataFrame(made).repartition(partitions)


def in_order(records: DataFrame) -> list[dict[str, Any]]:
    """The records partition by partition, as they are: nothing sorts them."""
    return [plain_row(row) for row in records.toArrow().to_pylist()]


def plain_row(row: dict[str, Any]) -> dict[str, Any]:
    return {name: plain(value) for name, value in row.items()}


def expected(records: pa.Table) -> list[dict[str, Any]]:
    return [plain_row(row) for row in records.to_pylist()]


@pytest.mark.parametrize("strategy", STRATEGIES, ids=repr)
@pytest.mark.parametrize("seed", [1])
def test_a_merge_on_spark_is_that_on_arrow(spark: SparkSession, strategy: MergeStrategy, seed: int) -> None:
    from lineage_core.spark.changelog import merged_slice

    state, batch = rows(seed, 40, 60), rows(seed + 10, 40, 60)
    if isinstance(strategy, UpsertStream):
        batch = pa.concat_tables([batch, rows(seed + 20, 20, 60)])
        batch = batch.append_column("op", pa.array([n % 3 == 0 for n in range(60)]).cast(pa.uint8()))
    given = batch.append_column("arrived", pa.array(range(batch.num_rows)))
    order = "arrived" if isinstance(strategy, UpsertStream) else None
    batch_columns = (given if order else batch).column_names[::-1]  # other than those of the state, as users' may be
    on_spark = frame(spark, (given if order else batch).select(batch_columns))
    with merged_slice(
        strategy, frame(spark, state), on_spark, FIRST, TIME, event_time=EPOCH, order_by=order
    ) as records:
        assert records.rdd.getNumPartitions() == 3
        assert sum(rows > 0 for rows in records.rdd.glom().map(len).collect()) > 1, (
            "more than one partition has records"
        )
        found = in_order(records)
    assert found == expected(numbered(merge(strategy, state, batch), FIRST, TIME, event_time=EPOCH))
    assert [row["offset"] for row in found] == list(range(FIRST, FIRST + len(found)))


def test_times_anywhere_in_a_row_stay_what_they_are(spark: SparkSession) -> None:
    from lineage_core.spark.changelog import merged_slice

    time = TIME.replace(microsecond=123_456)
    row = {"id": 1, "at": time, "ats": [time], "in": {"at": time}, "by": [("a", time)]}
    kind = pa.timestamp("us", tz="UTC")
    types = [pa.int64(), kind, pa.list_(kind), pa.struct([("at", kind)]), pa.map_(pa.string(), kind)]
    batch = pa.Table.from_pylist([row], schema=pa.schema(list(zip(row, types, strict=True))))
    for key in (KEY, ()):
        with merged_slice(Snapshot(key), None, frame(spark, batch), FIRST, TIME) as records:
            (found,) = in_order(records)
        assert {name: found[name] for name in row} == plain_row(row)


def several_changes() -> tuple[pa.Table, pa.Table]:
    """A state, and records in which keys change several times."""
    versions = [rows(seed, 50, 50).sort_by("id") for seed in (1, 2, 3)]
    first, *others = versions
    changes, state = list[pa.Table](), first
    for batch in [*others, first.slice(0, 30)]:
        changes.append(merge(Snapshot(KEY), state, batch))
        state = replay(changes[-1], state, KEY)
    return first, numbered(pa.concat_tables(changes), 100, TIME)


def test_several_changes_of_one_key_in_a_slice_stay_in_their_order(spark: SparkSession) -> None:
    from lineage_core.spark.changelog import merged_slice

    state, records = several_changes()
    strategy = ChangelogStream(KEY)
    with merged_slice(strategy, frame(spark, state), frame(spark, records), FIRST, TIME) as made:
        assert in_order(made) == expected(numbered(merge(strategy, state, records), FIRST, TIME))


@pytest.mark.parametrize("target", Form)
@pytest.mark.parametrize("source", [Form.TWO_EVENTS, Form.ONE_EVENT, Form.UPSERT])
def test_a_conversion_on_spark_is_that_on_arrow(spark: SparkSession, source: Form, target: Form) -> None:
    assert_converted_alike(spark, source, target, KEY)


@pytest.mark.parametrize("target", [Form.RETRACT, Form.ONE_EVENT])
def test_a_conversion_without_key_on_spark_is_that_on_arrow(spark: SparkSession, target: Form) -> None:
    assert_converted_alike(spark, Form.TWO_EVENTS, target, ())


def assert_converted_alike(spark: SparkSession, source: Form, target: Form, key: Sequence[str]) -> None:
    from lineage_core.spark.changelog import converted_slice

    state, records = several_changes()
    given = with_offsets(converted(records, Form.TWO_EVENTS, source, key))
    options = {"primary_key": key, "state": frame(spark, state) if source is Form.UPSERT else None}
    with converted_slice(frame(spark, given), source, target, FIRST, TIME, **options) as made:  # type: ignore[arg-type]
        found = in_order(made)
    on_arrow = with_offsets(converted(given, source, target, key, state), FIRST)
    assert found == [{**row, "system_time": TIME} for row in expected(on_arrow)]


def with_offsets(changes: pa.Table, first: int = 0) -> pa.Table:
    offsets = pa.array(range(first, first + changes.num_rows), pa.int64())
    times = pa.array([TIME] * changes.num_rows, pa.timestamp("us", tz="UTC"))
    made = changes.append_column("offset", offsets).append_column("system_time", times)
    names = ["offset", "op", "system_time", "event_time"]
    return made.select([*names, *(name for name in made.column_names if name not in names)])


@pytest.mark.parametrize("key", [KEY, ()])
def test_a_replay_on_spark_is_that_on_arrow(spark: SparkSession, key: tuple[str, ...]) -> None:
    from lineage_core.spark.changelog import replayed

    state, records = several_changes()
    found = replayed(frame(spark, records), frame(spark, state), key).toArrow()
    assert multiset(found) == multiset(replay(records, state, key))
    assert found.num_rows == 30


def test_each_partition_is_a_part(spark: SparkSession, tmp_path: Path) -> None:
    from lineage_core.spark.changelog import merged_slice, write_parts

    folder = FileFolder(str(tmp_path))
    state, batch = rows(1, 60, 60), rows(2, 60, 60)
    with merged_slice(Snapshot(KEY), frame(spark, state), frame(spark, batch), FIRST, TIME) as records:
        parts = write_parts(records, folder, "rows", 0)
        assert write_parts(records, folder, "rows", 0) == parts
    assert len(parts) > 1
    assert [part.start_offset for part in parts] == [FIRST, *(part.end_offset + 1 for part in parts[:-1])]
    found = pa.concat_tables([read_part(folder, part) for part in parts])
    assert expected(found) == expected(numbered(merge(Snapshot(KEY), state, batch), FIRST, TIME))
    assert {*found.column("op").to_pylist()} == {2, 3}, "corrections, of which no part has a half"


@pytest.mark.parametrize(
    ("change", "error", "message"),
    [
        (lambda table: pa.concat_tables([table, table.slice(0, 1)]), WrongUsage, "two rows with the key id = "),
        (lambda table: table.set_column(1, "id", pa.nulls(40, pa.int64())), WrongUsage, "must not be NULL"),
        (lambda table: table.drop_columns(["id"]), WrongUsage, "lacks id"),
        (lambda table: table.append_column("op", pa.array([0] * 40)), WrongUsage, "has the system column op"),
    ],
)
def test_what_arrow_refuses_spark_refuses_with_the_same_words(
    spark: SparkSession, change: Any, error: type[Exception], message: str
) -> None:
    from lineage_core.spark.changelog import merged_slice

    state, batch = rows(1, 40, 60), change(rows(2, 40, 60))
    with (
        pytest.raises(error, match=message),
        merged_slice(Snapshot(KEY), frame(spark, state), frame(spark, batch), FIRST, TIME),
    ):
        raise AssertionError("the block is not entered")


def test_a_broken_stream_is_named_by_its_offset(spark: SparkSession) -> None:
    from lineage_core.spark.arrow_tasks import failures_explained
    from lineage_core.spark.changelog import merged_slice, replayed

    state, records = several_changes()
    with (
        pytest.raises(BrokenStream, match=r"Record \d{3} ") as broken,
        merged_slice(ChangelogStream(KEY), None, frame(spark, records), FIRST, TIME),
    ):
        raise AssertionError("the block is not entered")
    assert broken.value.rule == "what is retracted or corrected is live, with the same values"
    assert broken.value.offset in records.column("offset").to_pylist()
    torn = records.slice(0, 1)
    with pytest.raises(BrokenStream, match="at once followed"), failures_explained():
        replayed(frame(spark, torn), frame(spark, state), KEY).collect()


BROKEN = {
    "a part twice": lambda records: pa.concat_tables([records, records.slice(5, 10)]).sort_by("offset"),
    "a gap": lambda records: pa.concat_tables([records.slice(0, 20), records.slice(22)]),
    "a -C at the end": lambda records: records.slice(0, _place_of(records, 2) + 1),
    "a +C at the beginning": lambda records: records.slice(_place_of(records, 3)),
}


def _place_of(records: pa.Table, operation: int) -> int:
    return int(records.column("op").to_pylist().index(operation))


@pytest.mark.parametrize("key", [KEY, ()])
@pytest.mark.parametrize("what", BROKEN)
def test_both_engines_refuse_a_stream_that_is_none(spark: SparkSession, what: str, key: tuple[str, ...]) -> None:
    from lineage_core.spark.arrow_tasks import failures_explained
    from lineage_core.spark.changelog import replayed
    from lineage_core.spark.changelog_frame import ChangelogFrame

    state, records = several_changes()
    broken = BROKEN[what](records)
    with pytest.raises(BrokenStream):
        replay(broken, state, key)
    with pytest.raises(BrokenStream), failures_explained():
        replayed(frame(spark, broken), frame(spark, state), key).collect()
    if what != "a gap":
        whole = with_offsets(records.drop_columns(["offset", "system_time"]))
        kept = ChangelogFrame(frame(spark, BROKEN[what](whole))).where("name IS NOT NULL")
        with pytest.raises(BrokenStream), kept.slice(0, TIME):
            raise AssertionError("the block is not entered")


@pytest.mark.parametrize(
    ("order", "message"),
    [([1, 1, 2], "two records have id = 1, at = 1"), ([1, None, 2], "is NULL in 1 rows")],
    ids=["equal", "NULL"],
)
def test_an_order_that_is_none_is_refused(spark: SparkSession, order: list[int | None], message: str) -> None:
    from lineage_core.spark.changelog import merged_slice

    batch = pa.table({"id": [1, 1, 2], "name": ["a", "b", "c"], "at": pa.array(order, pa.int64())})
    with (
        pytest.raises(WrongUsage, match=message),
        merged_slice(UpsertStream(KEY), None, frame(spark, batch), FIRST, TIME, order_by="at"),
    ):
        raise AssertionError("the block is not entered")


@pytest.mark.parametrize(("name", "is_fit"), [("a.b", True), ("a`b", True), ("NAME", False), ("__Bucket", False)])
def test_a_name_works_or_is_refused_by_name(spark: SparkSession, name: str, is_fit: bool) -> None:
    from lineage_core.spark.changelog import merged_slice

    batch = pa.table({"id": [1, 2], "name": ["a", "b"], name: [1, 2]})
    if is_fit:
        with merged_slice(Snapshot(KEY), None, frame(spark, batch), FIRST, TIME) as records:
            found = in_order(records)
        assert found == expected(numbered(merge(Snapshot(KEY), None, batch), FIRST, TIME))
    else:
        with (
            pytest.raises(WrongUsage, match=f"`{name}`"),
            merged_slice(Snapshot(KEY), None, frame(spark, batch), FIRST, TIME),
        ):
            raise AssertionError("the block is not entered")


def test_a_sequence_needs_an_order(spark: SparkSession) -> None:
    from lineage_core.spark.changelog import merged_slice

    with (
        pytest.raises(WrongUsage, match="a DataFrame has none: there is no column `offset`"),
        merged_slice(UpsertStream(KEY), None, frame(spark, rows(1, 5, 5)), FIRST, TIME),
    ):
        raise AssertionError("the block is not entered")


def test_a_number_belongs_to_its_row_whatever_is_done_with_the_slice(spark: SparkSession, tmp_path: Path) -> None:
    from lineage_core.spark.changelog import merged_slice, write_parts

    state, batch = rows(1, 60, 90), rows(2, 60, 90)
    wanted = expected(numbered(merge(Snapshot(KEY), state, batch), FIRST, TIME))
    numbers = {row["offset"]: row for row in wanted}
    with merged_slice(Snapshot(KEY), frame(spark, state), frame(spark, batch), FIRST, TIME) as records:
        uses = {
            "coalesce": records.coalesce(1),
            "repartition": records.repartition(7),
            "order": records.orderBy("id"),
            "filter": records.where("op = 3"),
            "union": records.union(records),
            "limit": records.limit(5),
        }
        for what, used in uses.items():
            found = in_order(used)
            assert found, what
            assert all(numbers[row["offset"]] == row for row in found), what
        assert [row["offset"] for row in in_order(records)] == [row["offset"] for row in wanted]
        (part,) = write_parts(records.coalesce(1), FileFolder(str(tmp_path)), "rows", 0)
        with merged_slice(Snapshot(KEY), None, frame(spark, batch), part.end_offset + 1, TIME) as others:
            both = [row["offset"] for row in in_order(records.union(others))]
    assert expected(read_part(FileFolder(str(tmp_path)), part)) == wanted
    assert sorted(both) == [*range(FIRST, FIRST + len(both))]


def test_a_slice_is_not_used_after_its_block(spark: SparkSession) -> None:
    """Computed again, its rows might have other numbers."""
    from lineage_core.spark.changelog import merged_slice

    with merged_slice(Snapshot(KEY), None, frame(spark, rows(1, 5, 5)), FIRST, TIME) as records:
        assert records.count() == 5
    with pytest.raises(Exception, match=r"[Cc]heckpoint"):
        records.toArrow()


def test_a_part_is_the_same_in_whatever_time_zone_the_session_is(spark: SparkSession, tmp_path: Path) -> None:
    from lineage_core.changelog import StreamFolder
    from lineage_core.spark.changelog import merged_slice, write_parts

    stream, digests = StreamFolder(FileFolder(str(tmp_path)), "zones"), set[str]()
    batch = pa.table({"id": [1, 2], "at": pa.array([TIME, None], pa.timestamp("us", tz="UTC"))})
    for zone in ("UTC", "America/New_York", "Asia/Kolkata"):
        spark.conf.set("spark.sql.session.timeZone", zone)
        with merged_slice(Snapshot(KEY), None, spark.createDataFrame(batch), 0, TIME) as records:
            (part,) = write_parts(records.coalesce(1), stream.history, "zones", 0)
        digests.add(part.physical_hash)
    assert len(digests) == 1
    assert read_part(stream.history, part).schema.field("at").type == pa.timestamp("us", tz="UTC")


def test_a_slice_is_kept_no_longer_than_its_block(spark: SparkSession) -> None:
    from lineage_core.spark.changelog import merged_slice

    batch = rows(1, 5, 5).select(["event_time", *DATA])
    with merged_slice(Snapshot(KEY), None, frame(spark, batch), FIRST, TIME) as records:
        assert records.count() == 5
        held = spark.sparkContext._jsc.getPersistentRDDs().size()
    assert spark.sparkContext._jsc.getPersistentRDDs().size() < held
