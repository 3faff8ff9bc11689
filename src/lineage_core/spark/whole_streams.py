"""Whether the records of a changelog stream are one, asked of all of them: no task has all."""

from __future__ import annotations

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F  # noqa: N812

from lineage_core.changelog import STANDARD, Changelog, Operation
from lineage_core.changelog.operations import FOLLOWED, FOLLOWS
from lineage_core.changelog.replay import UNBROKEN
from lineage_core.errors import BrokenStream
from lineage_core.spark.arrow_tasks import column

_FIRST_OF_PAIR = "__first_of_pair"


def refuse_broken(records: DataFrame, changelog: Changelog = STANDARD, *, may_have_gaps: bool = False) -> None:
    """Raises BrokenStream, as `changelog.replay` does, if offsets have a gap or are there twice, or a pair is torn.

    No task has all records, so this is asked of the offsets and operations alone.
    """
    operation, offset = column(changelog.vocabulary.operation_type), column(changelog.vocabulary.offset)
    from_, to = (F.count(F.when(operation == int(one), 1)) for one in (Operation.CORRECT_FROM, Operation.CORRECT_TO))
    counted = [F.count(F.lit(1)).alias("rows"), from_.alias("from"), to.alias("to")]
    bounds = [F.min(offset).alias("first"), F.max(offset).alias("last"), F.sum(offset.cast("decimal(38)")).alias("sum")]
    pairs = records.groupBy(first_of_pair(changelog).alias(_FIRST_OF_PAIR)).agg(*counted, *bounds).persist()
    try:
        # First, as on Arrow: a record that is there twice, or is missing, also tears a pair.
        if not may_have_gaps:
            _refuse_gaps(pairs)
        is_whole = (F.col("from") == F.col("to")) & (F.col("rows") == F.col("to") + 1) & (F.col("to") <= 1)
        for torn in pairs.where(~is_whole).orderBy("first").limit(1).collect():
            if torn["from"] != torn["to"]:
                is_second = torn["from"] < torn["to"]
                rule, what = (FOLLOWS, "no -C is before it") if is_second else (FOLLOWED, "no +C is behind it")
                raise BrokenStream(rule, torn["last"] if is_second else torn["first"], what)
            raise BrokenStream(UNBROKEN, torn["last"], "it is there more than once")
    finally:
        pairs.unpersist()


def _refuse_gaps(pairs: DataFrame) -> None:
    """Offsets without a gap, each once, are as many as lie between the first and the last, and have their sum."""
    bounds = [F.min("first").alias("first"), F.max("last").alias("last")]
    (whole,) = pairs.agg(F.sum("rows").alias("rows"), *bounds, F.sum("sum").alias("sum")).collect()
    rows, first, last = whole["rows"], whole["first"], whole["last"]
    if rows is not None and (rows, 2 * whole["sum"]) != (last - first + 1, (first + last) * rows):
        raise BrokenStream(UNBROKEN, first, f"there are {rows} records from here to {last}")


def first_of_pair(changelog: Changelog) -> Column:
    """The offset of a record, of a +C that of its -C: the same for the two records of a correction."""
    is_second = F.col(changelog.vocabulary.operation_type) == int(Operation.CORRECT_TO)
    return F.col(changelog.vocabulary.offset) - F.when(is_second, 1).otherwise(0)
