"""Takes the match scores that have arrived up to a round, and publishes what they change in the leaderboard."""

from __future__ import annotations

import argparse
from datetime import UTC, datetime
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

from lineage_core.changelog import FolderHead, Snapshot, StreamFolder
from lineage_core.files import FileFolder
from lineage_core.settings import streams_url_from_environment
from lineage_core.spark.changelog import merged_slice, read_parts, replayed, write_parts

PLACES = 2
PLACE = ("place",)
SCORES = Path(__file__).with_suffix(".csv")
COLUMNS = "round INT, match_time TIMESTAMP, match_id BIGINT, player_name STRING, score INT"


def arrived(scores: DataFrame, last_round: int) -> DataFrame:
    """The scores that have arrived up to a round. Some are late: of a match before those of earlier rounds."""
    return scores.where(F.col("round") <= last_round).select("match_time", "match_id", "player_name", "score")


def leaderboard(match_scores: DataFrame) -> DataFrame:
    """The best scores, the earlier match first where two are equal."""
    best_first = Window.orderBy(F.col("score").desc(), "match_time", "player_name")
    placed = match_scores.withColumn("place", F.row_number().over(best_first))
    return placed.where(F.col("place") <= PLACES).select("place", "match_time", "player_name", "score")


def with_points(match_scores: DataFrame, bonuses: DataFrame) -> DataFrame:
    """The scores, each with the bonus of its player. Raises where that is more than a score can be."""
    points = F.coalesce(F.col("score") + F.col("points"), "score").cast("int").alias("score")
    return match_scores.join(bonuses, "player_name", "left").select("match_time", "match_id", "player_name", points)


def publish(board: DataFrame, stream: StreamFolder, now: datetime) -> FolderHead:
    """Appends to the stream what differs between the leaderboard that it has and this one: if nothing does, nothing."""
    head = stream.head()
    published = read_parts(board.sparkSession, stream.history, head.parts) if head.parts else None
    before = replayed(published, primary_key=PLACE) if published else None
    timed = board.withColumn("event_time", F.col("match_time"))
    system_time = head.not_before(now)
    with merged_slice(Snapshot(PLACE), before, timed, head.next_offset, system_time) as records:
        parts = write_parts(records, stream.history, stream.name, schema_id=0)
    return stream.append(head, parts, system_time)


def run(
    spark: SparkSession, database: str, user: str, last_round: int, stream: StreamFolder, *, has_bonuses: bool
) -> None:
    """Write the tables as they are after a round, whatever they were before, and the stream of the leaderboard."""
    scores = spark.read.csv(str(SCORES), schema=COLUMNS, header=True)
    properties = {"user": user, "driver": "org.postgresql.Driver", "truncate": "true"}
    # Named with their schema: the listener would otherwise call the table of a reader and of a writer differently.
    arrived(scores, last_round).write.jdbc(database, "example.match_scores", "overwrite", properties)
    match_scores = spark.read.jdbc(database, "example.match_scores", properties=properties)
    if has_bonuses:
        match_scores = with_points(match_scores, spark.read.jdbc(database, "example.bonuses", properties=properties))
    board = leaderboard(match_scores)
    board.write.jdbc(database, "example.leaderboard", "overwrite", properties)
    publish(board, stream, datetime.now(UTC))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", required=True, help="JDBC address; the password comes from PGPASSFILE")
    parser.add_argument("--user", required=True)
    parser.add_argument("--round", type=int, required=True, dest="last_round")
    parser.add_argument("--bonuses", action=argparse.BooleanOptionalAction, help="add the points of example.bonuses")
    arguments = parser.parse_args()
    root = FileFolder(streams_url_from_environment())
    stream = StreamFolder(root.below("games/leaderboard"), "leaderboard")
    spark = SparkSession.builder.appName("match_scores_leaderboard").getOrCreate()
    run(spark, arguments.database, arguments.user, arguments.last_round, stream, has_bonuses=bool(arguments.bonuses))
    spark.stop()


if __name__ == "__main__":
    main()
