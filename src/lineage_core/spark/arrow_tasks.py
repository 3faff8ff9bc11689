"""Tables of Arrow in the tasks of Spark: columns by place, types that Spark has, and errors that reach the driver."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial

import pyarrow as pa
from pyspark.errors import PythonException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import StructType

from lineage_core import errors
from lineage_core.errors import LineageError

_MARK = "of lineage_core: "


@contextmanager
def failures_explained() -> Iterator[None]:
    """Errors of this project that tasks have raised, as themselves."""
    try:
        yield
    except PythonException as failed:
        _, mark, text = str(failed).rpartition(_MARK)
        if not mark:
            raise
        name, arguments = json.JSONDecoder().raw_decode(text)[0]
        raise getattr(errors, name)(*arguments) from failed


@contextmanager
def raised_for_the_driver() -> Iterator[None]:
    """Of a task's error the driver gets a text: here it has what `failures_explained` needs."""
    try:
        yield
    except LineageError as error:
        made = error.__reduce__()
        raise RuntimeError(_MARK + json.dumps([type(error).__name__, made[1]])) from error


def mapped(
    frame: DataFrame,
    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    schema: StructType | str,
) -> DataFrame:
    """What the work makes of each partition."""
    return placed(frame).mapInArrow(partial(_named, work, frame.columns), schema)


def placed(frame: DataFrame) -> DataFrame:
    """With places for names: Spark asks for the columns of a group by name, and does not quote what has a dot."""
    return frame.toDF(*(f"_{place}" for place in range(len(frame.columns))))


def _named(
    work: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    names: list[str],
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    return work(batch.rename_columns(names) for batch in batches)


def for_spark(table: pa.Table) -> pa.Table:
    """In types that Spark has."""
    schema = pa.schema([pa.field(field.name, spark_type(field.type), field.nullable) for field in table.schema])
    return table.cast(schema).combine_chunks()


def spark_type(kind: pa.DataType) -> pa.DataType:
    """Spark takes times in UTC alone, and hands them out in the zone of the session."""
    if pa.types.is_uint8(kind):
        return pa.int16()
    if pa.types.is_timestamp(kind):
        return pa.timestamp("us", tz=kind.tz and "UTC")
    if pa.types.is_struct(kind):
        return pa.struct([field.with_type(spark_type(field.type)) for field in kind])
    if pa.types.is_list(kind):
        return pa.list_(kind.value_field.with_type(spark_type(kind.value_type)))
    if pa.types.is_map(kind):
        return pa.map_(spark_type(kind.key_type), kind.item_field.with_type(spark_type(kind.item_type)))
    return kind


def column(name: str) -> Column:
    """Quoted, as a name may have a dot."""
    return F.col(f"`{name.replace('`', '``')}`")


def partitions(frame: DataFrame) -> int:
    return int(str(frame.sparkSession.conf.get("spark.sql.shuffle.partitions")))
