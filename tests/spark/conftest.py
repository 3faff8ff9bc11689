"""One Spark for all tests of a session."""

from __future__ import annotations

import logging
from collections.abc import Iterator

import pytest
from pyspark.sql import SparkSession

from lineage_core.spark.session import spark_session

# It says goodbye at the end of the process, where no one listens any more.
logging.getLogger("py4j").setLevel(logging.WARNING)


@pytest.fixture(scope="session")
def spark() -> Iterator[SparkSession]:
    with spark_session("tests", "local[2,4]") as session:
        yield session
