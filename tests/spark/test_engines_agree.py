"""Arrow and Spark give the same of batches and streams that mean no good, or refuse them for the same reason.

The cases are generated, the same ones each time. Each has a few of the traps below; some cases are harmless.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from functools import partial
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pytest

from lineage_core.changelog import (
    STANDARD,
    Append,
    Form,
    Ledger,
    MergeStrategy,
    Snapshot,
    UpsertStream,
    converted,
    merge,
    numbered,
    replay,
)
from lineage_core.errors import BrokenStream, WrongUsage
from tests.support.changelog_histories import plain
from tests.support.record_tables import TIME

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

pytestmark = pytest.mark.spark

CASES, STREAMS = 20, 14
MANY = 10
"""Times as many, where there is time for it."""
KEY = ("id",)
ORDER = "arrived"
KEYS: list[tuple[pa.DataType, list[Any]]] = [
    (pa.int64(), [1, 2, 3, -1, 2**62]),
    (pa.int16(), [1, 2, 3, -1, 32_767]),
    (pa.string(), ["a", "b", "", "é", "\U0001f600"]),
    (pa.decimal128(12, 2), [Decimal("1.00"), Decimal("2.50"), Decimal("-1.00"), Decimal("0.00"), Decimal("9.99")]),
    (pa.date32(), [date(2026, 11, day) for day in range(1, 6)]),
    (pa.timestamp("us", tz="UTC"), [datetime(2026, 11, 1, tzinfo=UTC) + timedelta(microseconds=n) for n in range(5)]),
    (pa.binary(), [b"", b"a", b"\x00", b"\xff", b"ab"]),
    (pa.bool_(), [False, True]),
]
VALUES: list[tuple[pa.DataType, list[Any]]] = [
    (pa.float64(), [None, 0.0, -0.0, float("nan"), float("inf"), 1.5]),
    (pa.float32(), [None, 0.0, -0.0, float("nan"), 1.5]),
    (pa.string(), [None, "", "a", "A", "é", "e\u0301", "\U0001f600"]),
    (pa.list_(pa.int32()), [None, [], [None], [1, None], [1, 2]]),
    (pa.struct([("at", pa.date32()), ("n", pa.float64())]), [None, {"at": None, "n": None}, {"at": None, "n": -0.0}]),
    (pa.map_(pa.string(), pa.int64()), [None, [], [("k", None)], [("k", 1), ("l", 2)]]),
    (pa.decimal128(20, 4), [None, Decimal("0.0000"), Decimal("1.5000")]),
    (pa.timestamp("us"), [None, datetime(2026, 1, 1), datetime(1969, 12, 31, 23, 59, 59, 1)]),  # noqa: DTZ001
]
STRATEGIES: list[MergeStrategy] = [Append(), Ledger(KEY), Snapshot(KEY), Snapshot(), UpsertStream(KEY)]
NAMES = ["value", "a.b", "a`b", 'q"uote', "old_value", "Größe", "offset_", "select", "two words"]


@dataclass(frozen=True)
class Case:
    """What both engines are to do."""

    strategy: MergeStrategy
    state: pa.Table
    batch: pa.Table
    traps: tuple[str, ...]


def case(seed: int) -> Case:
    random = Random(seed)
    fields = [("id", *random.choice(KEYS)), (random.choice(NAMES), *random.choice(VALUES)), ("more", *VALUES[2])]
    strategy = random.choice(STRATEGIES)
    state = distinct(table(random, fields, random.randint(0, 5)))
    batch = distinct(table(random, fields, random.randint(0, 5)))
    if isinstance(strategy, UpsertStream):
        batch = table(random, fields, random.randint(0, 6))
        batch = batch.append_column(
            "op", pa.array([random.choice([0, 0, 1]) for _ in range(batch.num_rows)], pa.uint8())
        )
    names = sorted(TRAPS)
    traps = tuple(dict.fromkeys([names[seed % len(names)], *random.sample(names, random.choice([0, 0, 1]))]))
    for trap in traps:
        batch = TRAPS[trap](batch)
    return Case(strategy, state, batch, traps)


def table(random: Random, fields: list[tuple[str, pa.DataType, list[Any]]], rows: int) -> pa.Table:
    columns = {name: pa.array([random.choice(values) for _ in range(rows)], kind) for name, kind, values in fields}
    return pa.table(columns)


def distinct(given: pa.Table) -> pa.Table:
    """Each key once."""
    keys = [repr(key) for key in given.column("id").to_pylist()]
    return given.take(pa.array([place for place, key in enumerate(keys) if keys.index(key) == place], pa.int64()))


def twice(given: pa.Table) -> pa.Table:
    return pa.concat_tables([given, given.slice(0, 1)])


def with_nulls(given: pa.Table, name: str, kind: pa.DataType | None = None) -> pa.Table:
    """The column with nothing but NULL, of its type or another one; the table as it is if it has no such column."""
    if name not in given.column_names:
        return given
    nulls = pa.nulls(given.num_rows, kind or given.schema.field(name).type)
    return given.set_column(given.column_names.index(name), name, nulls)


def without(given: pa.Table, name: str) -> pa.Table:
    return given.drop_columns([name]) if name in given.column_names else given


def with_wrong_operation(given: pa.Table) -> pa.Table:
    return without(given, "op").append_column("op", pa.array([7] * given.num_rows, pa.uint8()))


TRAPS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "a key twice": twice,
    "NULL keys": lambda given: with_nulls(given, "id"),
    "a column of NULL": lambda given: with_nulls(given, "more"),
    "another type": lambda given: with_nulls(given, "more", pa.int8()),
    "an operation that is none": with_wrong_operation,
    "no key": lambda given: without(given, "id"),
    "a column less": lambda given: without(given, "more"),
    "a column more": lambda given: given.append_column("extra", pa.array(["x"] * given.num_rows, pa.string())),
    "columns in another order": lambda given: given.select(given.column_names[::-1]),
    "no rows": lambda given: given.slice(0, 0),
}
"""What may be wrong with a batch, or only unusual."""

Outcome = tuple[str, Any]


def outcome(of: Callable[[], pa.Table]) -> Outcome:
    """What comes of it: rows, or the kind of refusal with what it says."""
    try:
        made = of()
    except (WrongUsage, BrokenStream) as refused:
        return type(refused).__name__, str(refused)
    return "rows", [{name: plain(value) for name, value in row.items()} for row in made.to_pylist()]


def frame(spark: SparkSession, given: pa.Table) -> DataFrame:
    """Spark has no unsigned integers, and takes a timestamp for one with a time zone unless it is stated."""
    from pyspark.sql.pandas.types import from_arrow_schema

    signed = [column.cast(pa.int16()) if column.type == pa.uint8() else column for column in given.columns]
    made = pa.Table.from_arrays(signed, given.column_names)
    return spark.createDataFrame(made, from_arrow_schema(made.schema)).repartition(2)


def merged_on_spark(spark: SparkSession, given: Case) -> pa.Table:
    from lineage_core.spark.changelog import merged_slice

    is_ordered = isinstance(given.strategy, UpsertStream)
    batch = given.batch.append_column(ORDER, pa.array(range(given.batch.num_rows))) if is_ordered else given.batch
    order = ORDER if is_ordered else None
    with merged_slice(
        given.strategy, frame(spark, given.state), frame(spark, batch), 0, TIME, order_by=order
    ) as records:
        return records.toArrow()


def merged_on_arrow(given: Case) -> pa.Table:
    return numbered(merge(given.strategy, given.state, given.batch), 0, TIME)


@pytest.fixture(scope="module", autouse=True)
def few_partitions(spark: SparkSession) -> Iterator[None]:
    before = spark.conf.get("spark.sql.shuffle.partitions")
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", str(before))


def in_any_order(found: Outcome) -> Outcome:
    """A state has no order on Spark. Of records that break one rule, each engine meets another first."""
    kind, what = found
    if kind == "rows":
        return kind, sorted(what, key=repr)
    return kind, re.sub(r"Record \d+ |: .*", "", what) if kind == BrokenStream.__name__ else what


def refusals_by_key(work: Callable[[pa.Table], pa.Table], records: pa.Table) -> list[Outcome]:
    """Why Arrow refuses the records of each key alone. Of keys that break unlike rules, Spark may meet any first."""
    keys = [repr(key) for key in records.column("id").to_pylist()]
    parts = [records.filter(pa.array([one == key for one in keys], pa.bool_())) for key in sorted({*keys})]
    found = [in_any_order(outcome(partial(work, part))) for part in parts]
    return [one for one in found if one[0] == BrokenStream.__name__]


def without_its_row(found: Outcome) -> Outcome:
    """Of several rows that are refused alike, each engine meets another first."""
    kind, what = found
    return found if kind == "rows" else (kind, re.sub(r": .*", "", what))


def agree_on_merges(spark: SparkSession, seeds: range) -> Counter[str]:
    met = Counter[str]()
    for seed in seeds:
        given = case(seed)
        on_arrow = outcome(partial(merged_on_arrow, given))
        on_spark = outcome(partial(merged_on_spark, spark, given))
        assert without_its_row(on_spark) == without_its_row(on_arrow), (seed, given)
        met.update([on_arrow[0], type(given.strategy).__name__, *given.traps])
    return met


def stream(random: Random) -> tuple[pa.Table, pa.Table]:
    """A state, and records in which keys change several times."""
    fields = [("id", *random.choice(KEYS)), (random.choice(NAMES), *random.choice(VALUES)), ("more", *VALUES[2])]
    first = distinct(table(random, fields, 6))
    state, changes = replay(numbered(merge(Snapshot(KEY), None, first), 0, TIME), None, KEY), list[pa.Table]()
    before = state
    for _ in range(3):
        changes.append(merge(Snapshot(KEY), state, distinct(table(random, fields, 6))))
        state = replay(changes[-1], state, KEY)
    return before, numbered(pa.concat_tables(changes), 5, TIME)


BREAKS: dict[str, Callable[[pa.Table], pa.Table]] = {
    "whole": lambda records: records,
    "a gap": lambda records: pa.concat_tables([records.slice(0, 1), records.slice(2)]),
    "a record twice": lambda records: pa.concat_tables([records, records.slice(0, 1)]).sort_by("offset"),
    "without its beginning": lambda records: records.slice(1),
    "without its end": lambda records: records.slice(0, max(records.num_rows - 1, 0)),
    "from another state": lambda records: records.slice(records.num_rows // 2),
    "nothing": lambda records: records.slice(0, 0),
}


def replayed_on_spark(spark: SparkSession, records: pa.Table, state: pa.Table, key: tuple[str, ...]) -> pa.Table:
    from lineage_core.spark.arrow_tasks import failures_explained
    from lineage_core.spark.changelog import replayed

    with failures_explained():
        return replayed(frame(spark, records), frame(spark, state), key).toArrow()


def converted_on_spark(spark: SparkSession, records: pa.Table, target: Form, key: tuple[str, ...]) -> pa.Table:
    from lineage_core.spark.changelog import converted_slice

    with converted_slice(frame(spark, records), Form.TWO_EVENTS, target, 0, TIME, primary_key=key) as made:
        return made.toArrow()


def agree_on_streams(spark: SparkSession, seeds: range) -> Counter[str]:
    met = Counter[str]()
    for seed in seeds:
        random = Random(seed)
        state, whole = stream(random)
        what, key = sorted(BREAKS)[seed % len(BREAKS)], random.choice([KEY, KEY, ()])
        records = BREAKS[what](whole)
        if random.random() < 0.5:
            how, target = "replayed", None
            of_keys = partial(STANDARD.replay_some, state=state, primary_key=key)
            on_arrow = outcome(partial(replay, records, state, key))
            on_spark = outcome(partial(replayed_on_spark, spark, records, state, key))
        else:
            how, target = "converted", random.choice([Form.RETRACT, Form.ONE_EVENT, Form.UPSERT])
            of_keys = partial(converted, source=Form.TWO_EVENTS, target=target, primary_key=key)
            on_arrow = outcome(lambda: numbered(of_keys(records), 0, TIME))  # noqa: B023
            on_spark = outcome(partial(converted_on_spark, spark, records, target, key))
        of_one_key = refusals_by_key(of_keys, records)
        may_be = of_one_key if in_any_order(on_arrow) in of_one_key else [in_any_order(on_arrow)]
        assert in_any_order(on_spark) in may_be, (seed, what, how, target, key, records.to_pylist())
        met.update([on_arrow[0], what, how])
    return met


@pytest.mark.slow
def test_a_merge_gives_the_same_on_both_engines(spark: SparkSession) -> None:
    met = agree_on_merges(spark, range(CASES))
    assert min(met["rows"], met["WrongUsage"]) > CASES / 4
    assert {name for name in TRAPS if not met[name]} == set()


@pytest.mark.slow
def test_a_stream_gives_the_same_on_both_engines(spark: SparkSession) -> None:
    met = agree_on_streams(spark, range(STREAMS))
    assert min(met["rows"], met["BrokenStream"], met["replayed"], met["converted"]) > STREAMS / 8
    assert {name for name in BREAKS if not met[name]} == set()


@pytest.mark.long
def test_so_they_do_in_many_other_cases(spark: SparkSession) -> None:
    met = agree_on_merges(spark, range(CASES, CASES * MANY)) + agree_on_streams(spark, range(STREAMS, STREAMS * MANY))
    assert min(met[name] for name in (*TRAPS, *BREAKS)) > MANY / 2
