"""Map and filter on the records of a stream: seed 002's recommendations to batch engines."""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Window
from pyspark.sql import functions as F  # noqa: N812

from lineage_core.changelog import numbered, replay, validate, write_part
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.spark.changelog_frame import ChangelogFrame
from tests.support.record_tables import TIME, table, written

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

PLACE = ("place",)
RECORDS = """
|op|place|player_name|score|
|-|-|-|-|
|+A|1|Alice|100|
|+A|2|Bob|80|
|-C|2|Bob|80|
|+C|2|Charlie|90|
|-C|1|Alice|100|
|+C|1|Charlie|110|
|-C|2|Charlie|90|
|+C|2|Alice|100|
|-R|1|Charlie|110|
"""


@pytest.fixture
def leaderboard(spark: SparkSession, tmp_path: Path) -> ChangelogFrame:
    """In three parts, which are read in any order."""
    spark.conf.set("spark.sql.shuffle.partitions", "3")
    records, folder = numbered(table(RECORDS), 0, TIME), FileFolder(str(tmp_path))
    cuts = ((0, 4), (4, 4), (8, 1))
    parts = [write_part(folder, "leaderboard", 0, records.slice(*cut)) for cut in cuts]
    return ChangelogFrame.of_parts(spark, [folder.file(part.name) for part in reversed(parts)])


def sliced(frame: ChangelogFrame) -> Any:
    """The slice, which is validated before it is given."""
    with frame.slice(0, TIME) as records:
        made = records.toArrow()
    validate(made, None, PLACE, expected_offset=0)
    return made


@pytest.mark.slow
def test_records_stay_in_their_order_without_one_partition(leaderboard: ChangelogFrame) -> None:
    with leaderboard.slice(0, TIME) as records:
        assert records.rdd.getNumPartitions() == 3
        assert sum(rows > 0 for rows in records.rdd.glom().map(len).collect()) > 1
    kept = sliced(leaderboard).select(["op", "place", "player_name", "score"])
    assert written(kept) == written(table(RECORDS))


def test_a_map_carries_the_operation_as_it_is(leaderboard: ChangelogFrame) -> None:
    mapped = leaderboard.with_columns({"player_name": F.upper("player_name")}).select("place", "player_name")
    assert written(sliced(mapped).select(["op", "player_name"])) == [
        (code, name.upper()) for code, _, name, _ in written(table(RECORDS))
    ]


def test_a_filter_by_key_lets_both_records_of_a_correction_pass(leaderboard: ChangelogFrame) -> None:
    kept = sliced(leaderboard.where("place = 2")).select(["op", "player_name"])
    assert written(kept) == [
        ("+A", "Bob"),
        ("-C", "Bob"),
        ("+C", "Charlie"),
        ("-C", "Charlie"),
        ("+C", "Alice"),
    ]


def test_what_a_filter_lets_pass_of_a_correction_is_an_append_or_a_retraction(leaderboard: ChangelogFrame) -> None:
    made = sliced(leaderboard.where(F.col("score") < 100))
    assert written(made.select(["op", "place", "score"])) == [
        ("+A", 2, 80),
        ("-C", 2, 80),
        ("+C", 2, 90),
        ("-R", 2, 90),
    ]
    assert replay(made, None, PLACE).num_rows == 0


@pytest.mark.parametrize("score", [80, 90, 100, 110, 120])
def test_a_filtered_stream_replays_to_the_filtered_state(leaderboard: ChangelogFrame, score: int) -> None:
    whole = replay(table(RECORDS), None, PLACE).to_pylist()
    state = replay(sliced(leaderboard.where(F.col("score") >= score)), None, PLACE).to_pylist()
    assert state == [row for row in whole if row["score"] >= score]


@pytest.mark.parametrize(
    "name",
    ["join", "crossJoin", "groupBy", "agg", "distinct", "dropDuplicates", "union", "orderBy", "coalesce", "limit"],
)
def test_what_looks_at_other_rows_is_refused_with_what_to_do(leaderboard: ChangelogFrame, name: str) -> None:
    with pytest.raises(WrongUsage, match=rf"`{name}` is not for the records .* merge the result as a Snapshot"):
        getattr(leaderboard, name)
    with pytest.raises(AttributeError):
        _ = leaderboard.no_method_of_a_dataframe


def test_an_aggregate_inside_of_a_map_is_refused(leaderboard: ChangelogFrame) -> None:
    over = F.sum("score").over(Window.partitionBy("place"))
    with pytest.raises(WrongUsage, match="Window is not for the records of a changelog stream"):
        leaderboard.with_columns({"total": over})
    with pytest.raises(WrongUsage, match="Generate is not for the records"):
        leaderboard.with_columns({"each": F.explode(F.array("place"))})


def test_a_map_that_gives_another_result_each_time_is_refused(leaderboard: ChangelogFrame) -> None:
    with pytest.raises(WrongUsage, match="must give the same for the same row"):
        leaderboard.with_columns({"chance": F.rand()})
    with pytest.raises(WrongUsage, match="must give the same for the same row"):
        leaderboard.where(F.rand() < 0.5)


@pytest.mark.parametrize(
    ("condition", "why"),
    [
        ("op IN (0, 3)", "this one reads op"),
        ("offset > 5 AND place = 1", "this one reads offset"),
        ("system_time IS NOT NULL", "this one reads system_time"),
        ("event_time < current_timestamp()", "may not read the time of its run"),
        ("score > (SELECT 1)", "A subquery is not for the records"),
    ],
)
def test_a_filter_may_not_tell_records_of_one_row_apart(leaderboard: ChangelogFrame, condition: str, why: str) -> None:
    with pytest.raises(WrongUsage, match=re.escape(why)):
        leaderboard.where(condition)


def test_a_map_may_read_the_event_time_and_no_other_system_column(leaderboard: ChangelogFrame) -> None:
    with pytest.raises(WrongUsage, match="this one reads offset"):
        leaderboard.with_columns({"number": F.col("offset")})
    assert "at" in leaderboard.with_columns({"at": F.col("event_time")}).records.columns


def test_a_map_does_not_touch_a_system_column(leaderboard: ChangelogFrame) -> None:
    with pytest.raises(WrongUsage, match="op is a system column, and is carried through a map as it is"):
        leaderboard.with_columns({"op": F.lit(0)})


def test_a_table_is_no_stream(spark: SparkSession) -> None:
    with pytest.raises(WrongUsage, match="it has no column offset, op, system_time, event_time"):
        ChangelogFrame(spark.range(3))
