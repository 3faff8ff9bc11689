"""The example pipeline's job: the leaderboard after each round, as the changelog RFC's guide tells it."""

from __future__ import annotations

import importlib.util
from types import ModuleType
from typing import TYPE_CHECKING

import pytest

from lineage_core.settings import PROJECT

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


@pytest.fixture(scope="module")
def job() -> ModuleType:
    """The job's script; scripts of spark_jobs are in no package."""
    file = PROJECT / "spark_jobs" / "match_scores_leaderboard.py"
    specification = importlib.util.spec_from_file_location(file.stem, file)
    assert specification is not None
    assert specification.loader is not None
    module = importlib.util.module_from_spec(specification)
    specification.loader.exec_module(module)
    return module


@pytest.mark.parametrize(
    ("last_round", "expected"),
    [
        (1, [(1, "Alice", 100), (2, "Bob", 80)]),
        (2, [(1, "Alice", 100), (2, "Charlie", 90)]),
        (3, [(1, "Charlie", 110), (2, "Alice", 100)]),
    ],
)
def test_the_two_best_of_all_rounds_lead(
    spark: SparkSession, job: ModuleType, last_round: int, expected: list[tuple[int, str, int]]
) -> None:
    scores = spark.read.csv(str(job.SCORES), schema=job.COLUMNS, header=True)
    rows = job.leaderboard(job.played(scores, last_round)).collect()
    assert [(row.place, row.player_name, row.score) for row in rows] == expected


def test_the_earlier_of_equal_scores_leads(spark: SparkSession, job: ModuleType) -> None:
    scores = [("2026-11-02", 2, "Late", 100), ("2026-11-01", 1, "Early", 100), ("2026-11-01", 1, "Less", 99)]
    matches = spark.createDataFrame(scores, "match_time STRING, match_id BIGINT, player_name STRING, score INT")
    assert [row.player_name for row in job.leaderboard(matches).collect()] == ["Early", "Late"]
