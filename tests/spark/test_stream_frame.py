"""A stream whose schema has evolved, read by Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from lineage_core.database import store
from lineage_core.errors import ReaderFenced
from lineage_core.postgres.connection import connect
from lineage_core.spark.stream_frame import stream_frame
from lineage_core.streams import reading
from lineage_core.streams.run import publish
from lineage_core.streams.store import switches
from tests.support.declared_streams import TAG, tags_without

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.postgres]


def test_spark_reads_parts_of_any_age_as_this_project_does(spark: SparkSession, database: str, tmp_path: Path) -> None:
    root = str(tmp_path)
    assert stream_frame(spark, database, root, "tags").records.count() == 0
    switches.start(database, "tags")
    for name, without in (("blue", ()), ("red", ("description",)), ("green", ("description", "created_at"))):
        with tags_without(*without):
            store.upgrade(database)
            with connect(database) as connection:
                connection.execute(TAG, [name, name])
            publish(database, root)
    known = reading.reader_schema(database, "tags", 1, ["name", "uuid"])
    for reader_schema in (None, known):
        rows = stream_frame(spark, database, root, "tags", reader_schema).records.orderBy("offset").collect()
        wanted = list(reading.records(database, root, "tags", reader_schema=reader_schema))
        assert [list(row.asDict()) for row in rows] == [list(record) for record in wanted]
        assert [(row.offset, row.op, row.uuid, row.name) for row in rows] == [
            (record["offset"], record["op"], record["uuid"], record["name"]) for record in wanted
        ]
    assert {part.schema_id for part in reading.published_version(database, "tags").parts} == {0, 1, 2}
    with pytest.raises(ReaderFenced):
        stream_frame(spark, database, root, "tags", reading.reader_schema(database, "tags", 0))
