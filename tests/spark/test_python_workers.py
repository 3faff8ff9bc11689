"""What Spark's Python workers are made of."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from pyspark.sql import SparkSession

from lineage_core.settings import inherited_environment

pytestmark = pytest.mark.spark

JOB = """
from lineage_core.spark.session import spark_context
with spark_context("a job") as context:
    print(context.getConf().get("spark.python.daemon.module"))
"""


def imported_from() -> list[str]:
    import py4j
    import pyspark

    return [str(pyspark.__file__), str(py4j.__file__), *sys.path]


def test_they_take_the_modules_that_are_installed(spark: SparkSession) -> None:
    """Those of the zips, which Spark puts first, would be compiled by each of them."""
    paths = spark.sparkContext.parallelize([0], 1).mapPartitions(lambda _: iter(imported_from())).collect()
    assert paths[:2] == imported_from()[:2]
    assert [path for path in paths if ".zip" in path and "pyspark" in path] == []


@pytest.mark.slow
def test_who_submits_may_name_another_daemon(tmp_path: Path) -> None:
    job = tmp_path / "job.py"
    job.write_text(JOB)
    script = Path(sys.executable).with_name("spark-submit")
    command = [str(script), "--master", "local[1]", "--conf", "spark.python.daemon.module=pyspark.daemon", str(job)]
    environment = inherited_environment() | {"PYSPARK_PYTHON": sys.executable}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stdout.splitlines()[-1:] == ["pyspark.daemon"], done.stderr
