"""Loads the classes that every job loads, and does nothing else: of them the class archive is made."""

from __future__ import annotations

from lineage_core.spark.session import spark_session
from lineage_core.spark.tasks import run_each

if __name__ == "__main__":
    with spark_session("load_classes") as session:
        run_each(session.sparkContext, [1, 2], iter, failed="A Spark task failed", what_stays="nothing was made")
