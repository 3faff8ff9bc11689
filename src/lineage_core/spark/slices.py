"""Offsets of a slice on Spark: numbers that belong to rows, whatever is done with them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import partial

import pyarrow as pa
from pyspark import TaskContext
from pyspark.sql import DataFrame
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import LongType, ShortType, StructField, StructType, TimestampType

from lineage_core.changelog import Changelog
from lineage_core.spark.arrow_tasks import column, failures_explained, for_spark, mapped, partitions

_PARTITION = "__partition"


@contextmanager
def numbered_slice(
    changes: DataFrame,
    order: Sequence[str],
    first_offset: int,
    system_time: datetime,
    event_time: datetime | None,
    changelog: Changelog,
) -> Iterator[DataFrame]:
    """Changes in an order, with offsets; valid within the block, at whose end they are dropped.

    The last column of `order` orders records that stay in one partition, as those of a correction must. `order` is no
    part of the rows.

    A number belongs to its row: partition and place are computed once, and kept with it. Were they computed again,
    Spark might divide the rows otherwise. So the rows are a local checkpoint, which has no plan to be computed by:
    whoever uses it when it is gone gets an error.
    """
    sorting = [F.col(name).asc_nulls_last() for name in order]
    ranged = changes.repartitionByRange(partitions(changes), *sorting[:-1])
    ordered = ranged.sortWithinPartitions(*sorting).drop(*order)
    schema = StructType([*slice_schema(ordered.schema, changelog), StructField(_PARTITION, LongType(), False)])
    placed = mapped(ordered, partial(_number_partition, system_time, event_time, changelog), schema)
    with failures_explained():
        kept = placed.localCheckpoint()
    try:
        ends = kept.groupBy(_PARTITION).agg(F.max(column(changelog.vocabulary.offset)).alias("last")).collect()
        starts, next_offset = list[int](), first_offset
        for partition, last in sorted(ends):
            starts += [next_offset] * (partition + 1 - len(starts))
            next_offset += last + 1
        before = F.get(F.array(*map(F.lit, starts or [first_offset])), F.col(_PARTITION).cast("int"))
        offset = (column(changelog.vocabulary.offset) + F.coalesce(before, F.lit(0))).cast(LongType())
        others = [column(name) for name in kept.columns if name not in (changelog.vocabulary.offset, _PARTITION)]
        yield kept.select(offset.alias(changelog.vocabulary.offset), *others)
    finally:
        _drop(kept)


def _drop(checkpoint: DataFrame) -> None:
    """Frees what a local checkpoint keeps. `unpersist` of a DataFrame knows of caches alone."""
    checkpoint._jdf.queryExecution().analyzed().rdd().unpersist(False)


def _number_partition(
    system_time: datetime,
    event_time: datetime | None,
    changelog: Changelog,
    batches: Iterable[pa.RecordBatch],
) -> Iterator[pa.RecordBatch]:
    """Records with their place in the partition as their offset, and the number of the partition."""
    place = 0
    for batch in batches:
        made = changelog.numbered(pa.Table.from_batches([batch]), place, system_time, event_time)
        place += batch.num_rows
        partition = pa.repeat(pa.scalar(_partition(), pa.int64()), batch.num_rows)
        yield from for_spark(made.append_column(_PARTITION, partition)).to_batches()


def _partition() -> int:
    context = TaskContext.get()
    assert context is not None, "only tasks ask"  # noqa: S101
    return context.partitionId()


def slice_schema(changes: StructType, changelog: Changelog) -> StructType:
    rows = [field for field in changes if field.name != changelog.vocabulary.operation_type]
    offset, system_time = (
        StructField(changelog.vocabulary.offset, LongType(), False),
        StructField(changelog.vocabulary.system_time, TimestampType(), False),
    )
    return StructType([offset, operation_field(changelog), system_time, *rows])


def operation_field(changelog: Changelog) -> StructField:
    return StructField(changelog.vocabulary.operation_type, ShortType(), False)
