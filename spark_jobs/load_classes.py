"""Loads the classes that any job loads, those with a session, too: of them the class archive is made."""

from __future__ import annotations

from lineage_core.spark.session import spark_session
from lineage_core.spark.tasks import SparkRunner
from lineage_core.tasks import Work

if __name__ == "__main__":
    with spark_session("load_classes") as session:
        work = Work[int, int](abs, failed="A Spark task failed", what_stays="nothing was made")
        list(SparkRunner(session.sparkContext).results(work, [1, 2]))
