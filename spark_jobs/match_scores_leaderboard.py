"""Writes the match scores up to a round, and the two best of them: the leaderboard."""

from __future__ import annotations

import argparse
from pathlib import Path

from pyspark.sql import DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812

PLACES = 2
SCORES = Path(__file__).with_suffix(".csv")
COLUMNS = "round INT, match_time TIMESTAMP, match_id BIGINT, player_name STRING, score INT"


def played(scores: DataFrame, last_round: int) -> DataFrame:
    """The scores of the matches up to a round."""
    return scores.where(F.col("round") <= last_round).select("match_time", "match_id", "player_name", "score")


def leaderboard(match_scores: DataFrame) -> DataFrame:
    """The best scores, the earlier match first where two are equal."""
    best_first = Window.orderBy(F.col("score").desc(), "match_time", "player_name")
    placed = match_scores.withColumn("place", F.row_number().over(best_first))
    return placed.where(F.col("place") <= PLACES).select("place", "match_time", "player_name", "score")


def run(spark: SparkSession, database: str, user: str, last_round: int) -> None:
    """Write both tables as they are after a round, whatever they were before."""
    scores = spark.read.csv(str(SCORES), schema=COLUMNS, header=True)
    properties = {"user": user, "driver": "org.postgresql.Driver", "truncate": "true"}
    # Named with their schema: the listener would otherwise call the table of a reader and of a writer differently.
    played(scores, last_round).write.jdbc(database, "example.match_scores", "overwrite", properties)
    match_scores = spark.read.jdbc(database, "example.match_scores", properties=properties)
    leaderboard(match_scores).write.jdbc(database, "example.leaderboard", "overwrite", properties)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--database", required=True, help="JDBC address; the password comes from PGPASSFILE")
    parser.add_argument("--user", required=True)
    parser.add_argument("--round", type=int, required=True, dest="last_round")
    arguments = parser.parse_args()
    spark = SparkSession.builder.appName("match_scores_leaderboard").getOrCreate()
    run(spark, arguments.database, arguments.user, arguments.last_round)
    spark.stop()


if __name__ == "__main__":
    main()
