"""A stream whose schema has evolved, read by Spark."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from pyspark.sql import Row

from lineage_core.errors import ReaderFenced
from lineage_core.operate import whole_store
from lineage_core.postgres.store import Store
from lineage_core.spark.changelog_frame import stream_frame
from lineage_core.streams import published_versions, reading
from lineage_core.streams.files_to_read import files_of_version, stream_files
from lineage_core.streams.publication import publish
from lineage_core.streams.store import switches
from tests.support.declared_streams import TAG, tags_without
from tests.support.evolving_schemas import Required, schema
from tests.support.written_streams import written_stream

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = [pytest.mark.spark, pytest.mark.postgres]


def test_spark_reads_parts_of_any_age_as_this_project_does(
    spark: SparkSession, database: Store, tmp_path: Path
) -> None:
    root = str(tmp_path)
    assert stream_frame(spark, stream_files(database, root, "tags")).records.count() == 0
    switches.start(database, "tags")
    for name, without in (("blue", ()), ("red", ("description",)), ("green", ("description", "created_at"))):
        with tags_without(*without):
            whole_store.upgrade(database)
            with database.connect() as connection:
                connection.execute(TAG, [name, name])
            publish(database, root)
    known = reading.reader_schema(database, "tags", 1, ["name", "uuid"])
    for reader_schema in (None, known):
        files = stream_files(database, root, "tags", reader_schema)
        rows = stream_frame(spark, files).records.orderBy("offset").collect()
        wanted = list(reading.records(database, root, "tags", reader_schema=reader_schema))
        assert [list(row.asDict()) for row in rows] == [list(record) for record in wanted]
        assert [(row.offset, row.op, row.uuid, row.name) for row in rows] == [
            (record["offset"], record["op"], record["uuid"], record["name"]) for record in wanted
        ]
    assert {part.schema_id for part in published_versions.published_version(database, "tags").parts} == {0, 1, 2}
    with pytest.raises(ReaderFenced):
        stream_files(database, root, "tags", reading.reader_schema(database, "tags", 0))


def test_spark_reads_nested_columns_that_have_changed(spark: SparkSession, tmp_path: Path) -> None:
    versions = [
        schema(id=Required("int64"), s={"x": "int64", "y": "string"}, gone="string"),
        schema(id="int64", s={"y": "string", "z": ["int8"]}),
        schema(new=[{"n": "int64"}], id="int64", s={"y": "string", "z": ["int8"]}),
    ]
    rows: list[list[dict[str, Any]]] = [
        [{"id": 1, "s": {"x": 1, "y": "a"}, "gone": "g"}, {"id": 2, "s": None, "gone": None}],
        [{"id": 3, "s": {"y": "b", "z": [1, None]}}],
        [{"new": [{"n": 7}], "id": None, "s": None}],
    ]
    version = written_stream("shop/moons", str(tmp_path), versions, rows)
    files = files_of_version(version, str(tmp_path))
    found = stream_frame(spark, files).records.orderBy("offset").collect()
    assert [row.asDict(recursive=True)["s"] for row in found] == [
        {"y": "a", "z": None},
        None,
        {"y": "b", "z": [1, None]},
        None,
    ]
    assert [(row.id, row.new) for row in found] == [(1, None), (2, None), (3, None), (None, [Row(n=7)])]
    wider = schema(id="int64", never="string")
    files = files_of_version(version, str(tmp_path), wider)
    found = stream_frame(spark, files).records.orderBy("offset").collect()
    assert [(row.id, row.never) for row in found] == [(1, None), (2, None), (3, None), (None, None)]
