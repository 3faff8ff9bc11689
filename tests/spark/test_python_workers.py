"""What Spark's Python workers are made of."""

from __future__ import annotations

import sys

import pytest
from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark


def test_they_take_the_modules_that_are_installed(spark: SparkSession) -> None:
    """Those of the zips, which Spark puts first, would be compiled by each of them."""
    on_path = spark.sparkContext.parallelize([0], 1).mapPartitions(lambda _: iter(sys.path)).collect()
    assert on_path
    assert [entry for entry in on_path if entry.endswith(".zip") and "pyspark" in entry] == []
