"""Changelog streams on Spark DataFrames, by the rules of `lineage_core.changelog`.

Rows go to tasks by their key, each task applies the Arrow rules to the keys that it has, and the records that come of
it are ordered by range. So no partition has all: offsets follow from the counts of the partitions before, and are kept
with the rows. In a DataFrame `op` is SMALLINT, as Spark has no unsigned bytes.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime
from functools import partial

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    DateType,
    DoubleType,
    FloatType,
    LongType,
    MapType,
    ShortType,
    StringType,
    StructField,
    StructType,
    TimestampType,
)

from lineage_core.changelog import (
    STANDARD,
    Changelog,
    ChangelogStream,
    Form,
    MergeStrategy,
    StreamPart,
    UpsertStream,
)
from lineage_core.changelog.forms import OLD, PLACE
from lineage_core.changelog.operations import Operation
from lineage_core.changelog.parts import read_part
from lineage_core.errors import WrongUsage
from lineage_core.files import FileFolder
from lineage_core.spark.arrow_tasks import (
    column,
    failures_explained,
    for_spark,
    mapped,
    partitions,
    placed,
    raised_for_the_driver,
)
from lineage_core.spark.slices import numbered_slice, operation_field
from lineage_core.spark.whole_streams import first_of_pair, refuse_broken

_BUCKET, _SEQUENCE, _SORTING = "__bucket", "__sequence", "__sorting_{}"
_RESERVED = ("__bucket", "__sequence", "__sorting_", "__place", "__partition", "__pair", "__halves")
_NESTED = (ArrayType, MapType, StructType)


@dataclass(frozen=True)
class SparkChangelog:
    """What a `Changelog` does, on DataFrames."""

    changelog: Changelog = STANDARD

    @contextmanager
    def merged_slice(
        self,
        strategy: MergeStrategy,
        state: DataFrame | None,
        batch: DataFrame,
        first_offset: int,
        system_time: datetime,
        *,
        event_time: datetime | None = None,
        order_by: str | None = None,
    ) -> Iterator[DataFrame]:
        """The slice that a batch makes of a state, as `changelog.merge` and `numbered` do; valid within the block.

        `order_by` is the column by which UpsertStream and ChangelogStream know the order of their batch; it is no part
        of the rows. By default it is the offset column. Raises what `merge` raises, before the block is entered.
        """
        sequence = order_by or self.changelog.vocabulary.offset
        for given in (batch, *((state,) if state is not None else ())):
            _refuse_names(given)
        self._refuse_unordered(strategy, batch, sequence)
        if isinstance(strategy, ChangelogStream) and sequence == self.changelog.vocabulary.offset:
            refuse_broken(batch, self.changelog, may_have_gaps=True)
        before = self._rows(batch, sequence).limit(0) if state is None else state
        none = self._in_order(batch.limit(0).toArrow(), sequence)
        data = self.changelog.data_columns(self.changelog.merge(strategy, before.limit(0).toArrow(), none).column_names)
        made = StructType([operation_field(self.changelog), *self._row_fields(batch, sequence)])
        sorting = [
            StructField(_SORTING.format(place), self._sorting_type(made, name))
            for place, name in enumerate(strategy.order(self.changelog, data))
        ]
        work = partial(self._merge_bucket, strategy, sequence)
        changes = self._by_key(before, batch, strategy.primary_key, work, _with(made, *sorting, _sequence_field()))
        names = [*(field.name for field in sorting), _SEQUENCE]
        with numbered_slice(changes, names, first_offset, system_time, event_time, self.changelog) as records:
            yield records

    @contextmanager
    def converted_slice(
        self,
        records: DataFrame,
        source: Form,
        target: Form,
        first_offset: int,
        system_time: datetime,
        *,
        primary_key: Sequence[str] = (),
        state: DataFrame | None = None,
    ) -> Iterator[DataFrame]:
        """Records with offsets in another form, as `changelog.converted` gives it; valid within the block.

        Raises what `converted` raises, before the block is entered.
        """
        _refuse_names(records)
        rows = self._rows(records).limit(0)
        empty = self.changelog.converted(records.limit(0).toArrow(), source, target, primary_key, _arrow(state, rows))
        made = self._converted_fields(records, empty)
        schema = _with(made, StructField(PLACE, LongType()), _sequence_field())
        work = partial(self._convert_bucket, source, target, tuple(primary_key), state is not None)
        if primary_key:
            changes = self._by_key(rows if state is None else state, records, primary_key, work, schema)
        else:
            pairs = records.withColumn(_BUCKET, first_of_pair(self.changelog))
            ranged = pairs.repartitionByRange(partitions(records), _BUCKET).drop(_BUCKET)
            changes = mapped(ranged, partial(_whole_partition, work, rows.toArrow()), schema)
        with numbered_slice(
            changes, [PLACE, _SEQUENCE], first_offset, system_time, None, self.changelog
        ) as made_records:
            yield made_records

    def replayed(
        self,
        records: DataFrame,
        state: DataFrame | None = None,
        primary_key: Sequence[str] = (),
    ) -> DataFrame:
        """The state after records with offsets, as `changelog.replay` gives it, in no order.

        Without a primary key, corrections count as a retraction and an append. Whether offsets have a gap, and pairs
        are whole, is looked at before. Any other error of the records comes with the first action on the state, as
        `failures_explained` tells it.
        """
        refuse_broken(records, self.changelog)
        rows = self._rows(records)
        before = rows.limit(0) if state is None else state
        if not primary_key:
            records = records.withColumn(
                self.changelog.vocabulary.operation_type, _as_retract(F.col(self.changelog.vocabulary.operation_type))
            )
        self.changelog.replay(records.limit(0).toArrow(), before.limit(0).toArrow(), primary_key)
        work = partial(self._replay_bucket, tuple(primary_key))
        return self._by_key(before, records, primary_key, work, StructType(self._row_fields(records)))

    def write_parts(self, records: DataFrame, folder: FileFolder, stream: str, schema_id: int) -> list[StreamPart]:
        """Writes each partition of a slice as a part, and gives them in the order of offsets; empty ones have none.

        A task holds a partition in memory. Raises what `changelog.write_part` raises.
        """
        work = partial(self._write_partition, folder, stream, schema_id)
        with failures_explained():
            rows = mapped(records, work, "part string").collect()
        return sorted((StreamPart(**json.loads(row.part)) for row in rows), key=lambda part: part.start_offset)

    def _by_key(
        self,
        state: DataFrame,
        batch: DataFrame,
        primary_key: Sequence[str],
        work: Callable[[pa.Table, pa.Table], pa.Table],
        schema: StructType,
    ) -> DataFrame:
        """What the work makes of the rows of state and batch whose keys are in one bucket."""
        keys = list(primary_key) or [name for name in self.changelog.data_columns(state.columns)]
        # Under other ids: of a batch that comes from the state, Spark 4.2 would hand some columns to no one.
        renewed = batch.select(*(column(name).alias(name) for name in batch.columns))
        left, right = (placed(frame.withColumn(_BUCKET, _bucket(frame, keys))) for frame in (state, renewed))
        done = partial(_bucket_done, work, state.columns, batch.columns)
        return left.groupBy(left.columns[-1]).cogroup(right.groupBy(right.columns[-1])).applyInArrow(done, schema)

    def _merge_bucket(self, strategy: MergeStrategy, sequence: str, state: pa.Table, batch: pa.Table) -> pa.Table:
        _refuse_no_order(strategy, batch, sequence)
        changes = self.changelog.unordered_changes(strategy, state, self._in_order(batch, sequence))
        made = changes
        for place, values in enumerate(self.changelog.sorting_values(strategy, changes)):
            made = made.append_column(_SORTING.format(place), values)
        return _sequenced(made)

    def _convert_bucket(
        self,
        source: Form,
        target: Form,
        primary_key: Sequence[str],
        has_state: bool,
        state: pa.Table,
        records: pa.Table,
    ) -> pa.Table:
        ordered = records.sort_by(self.changelog.vocabulary.offset)
        before = state if has_state else None
        return _sequenced(self.changelog.placed_conversion(ordered, source, target, primary_key, before))

    def _replay_bucket(self, primary_key: Sequence[str], state: pa.Table, records: pa.Table) -> pa.Table:
        return self.changelog.replay_some(records.sort_by(self.changelog.vocabulary.offset), state, primary_key)

    def _in_order(self, batch: pa.Table, sequence: str) -> pa.Table:
        """In the order of a column, and without it if it is no system column. A batch without it has no order."""
        if sequence not in batch.column_names:
            return batch
        ordered = batch.sort_by(sequence)
        return ordered if sequence == self.changelog.vocabulary.offset else ordered.drop_columns([sequence])

    def _write_partition(
        self, folder: FileFolder, stream: str, schema_id: int, batches: Iterable[pa.RecordBatch]
    ) -> Iterator[pa.RecordBatch]:
        if held := [batch for batch in batches if batch.num_rows]:
            with raised_for_the_driver():
                records = pa.Table.from_batches(held).sort_by(self.changelog.vocabulary.offset)
                part = self.changelog.write_part(folder, stream, schema_id, records)
            yield pa.RecordBatch.from_pydict({"part": [json.dumps(vars(part))]})

    def _row_fields(self, frame: DataFrame, *left_out: str) -> list[StructField]:
        names = [name for name in self.changelog.data_columns(frame.columns) if name not in left_out]
        time = self.changelog.vocabulary.event_time
        is_date = time in frame.columns and isinstance(frame.schema[time].dataType, DateType)
        event_time = StructField(time, DateType() if is_date else TimestampType())
        return [event_time, *(frame.schema[name] for name in names)]

    def _rows(self, frame: DataFrame, *left_out: str) -> DataFrame:
        """Event time and data columns of a table or of records."""
        if self.changelog.vocabulary.event_time not in frame.columns:
            frame = frame.withColumn(self.changelog.vocabulary.event_time, F.lit(None).cast(TimestampType()))
        return frame.select(*(column(field.name) for field in self._row_fields(frame, *left_out)))

    def _converted_fields(self, records: DataFrame, made: pa.Table) -> StructType:
        """The types that a conversion gives: an old column has that of the new one."""
        known = {field.name: field.dataType for field in [operation_field(self.changelog), *self._row_fields(records)]}
        fields = [StructField(name, known.get(name) or known[name.removeprefix(OLD)]) for name in made.column_names]
        return StructType(fields)

    def _sorting_type(self, made: StructType, name: str) -> DataType:
        if name == self.changelog.vocabulary.operation_type:
            return BooleanType()
        return StringType() if isinstance(made[name].dataType, _NESTED) else made[name].dataType

    def _refuse_unordered(self, strategy: MergeStrategy, batch: DataFrame, sequence: str) -> None:
        if isinstance(strategy, UpsertStream | ChangelogStream) and sequence not in batch.columns:
            raise WrongUsage(
                f"{type(strategy).__name__} needs the order of the batch, and a DataFrame has none: there is no column"
                f" `{sequence}`. Give the column that has it as `order_by`"
            )


def read_parts(session: SparkSession, folder: FileFolder, parts: Sequence[StreamPart]) -> DataFrame:
    """The records of one or more parts, in no order, with the columns that the last of them has.

    A task reads a part by fsspec, so it takes no driver of the JVM for `folder`. A column that a part lacks is NULL in
    it. Raises WrongUsage without parts, and what `changelog.read_part` raises: with the first action on the records,
    as `failures_explained` tells it, unless the last part has it.
    """
    if not parts:
        raise WrongUsage(f"There is nothing to read: the stream in {folder} has no parts yet")
    schema = read_part(folder, parts[-1]).schema.remove_metadata()
    named = session.createDataFrame([(json.dumps(vars(part)),) for part in parts], "part string")
    work = partial(_read_partition, folder, schema)
    return named.repartition(len(parts)).mapInArrow(work, from_arrow_schema(for_spark(schema.empty_table()).schema))


def _bucket(frame: DataFrame, keys: Sequence[str]) -> Column:
    """The same for the same values: so nested ones, in which -0.0 may be, have no part in it.

    The hash depends on the order of its columns. That is the order of the keys, as two frames may have unlike ones.
    """
    types = {field.name: field.dataType for field in frame.schema}
    hashed = [_hashable(column(name), types[name]) for name in keys if not isinstance(types[name], _NESTED)]
    return F.pmod(F.xxhash64(*hashed) if hashed else F.lit(0), F.lit(partitions(frame)))


def _hashable(column: Column, kind: DataType) -> Column:
    if isinstance(kind, DoubleType | FloatType):
        return F.nanvl(column.cast("double") + F.lit(0.0), F.lit(float("nan")))
    return column


def _bucket_done(
    work: Callable[[pa.Table, pa.Table], pa.Table],
    state_columns: list[str],
    batch_columns: list[str],
    state: pa.Table,
    batch: pa.Table,
) -> pa.Table:
    """The tables have the bucket as their last column, and places for names."""
    named = ((state, state_columns), (batch, batch_columns))
    with raised_for_the_driver():
        return for_spark(work(*(table.select(range(len(names))).rename_columns(names) for table, names in named)))


def _whole_partition(
    work: Callable[[pa.Table, pa.Table], pa.Table], state: pa.Table, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    if held := list(batches):
        with raised_for_the_driver():
            yield from for_spark(work(state, pa.Table.from_batches(held))).to_batches()


def _refuse_no_order(strategy: MergeStrategy, batch: pa.Table, sequence: str) -> None:
    """Of records of one key whose order is the same, or unknown, the last one would be any of them."""
    if not isinstance(strategy, UpsertStream | ChangelogStream) or sequence not in batch.column_names:
        return
    if batch.column(sequence).null_count:
        unknown = batch.column(sequence).null_count
        raise WrongUsage(f"`{sequence}` says the order of the batch, and is NULL in {unknown} rows")
    names = list(dict.fromkeys([*strategy.primary_key, sequence]))
    if any(name not in batch.column_names for name in names):
        return  # the strategy says what is missing
    found = batch.select(names).group_by(names).aggregate([([], "count_all")])
    if found.num_rows < batch.num_rows:
        doubled = found.filter(pc.greater(found.column("count_all"), 1)).select(names).slice(0, 1).to_pylist()[0]
        shown = ", ".join(f"{name} = {value!r}" for name, value in doubled.items())
        raise WrongUsage(f"`{sequence}` says the order of the batch, and two records have {shown}")


def _sequenced(changes: pa.Table) -> pa.Table:
    return changes.append_column(_SEQUENCE, pa.array(range(changes.num_rows), pa.int64()))


def _read_partition(
    folder: FileFolder, schema: pa.Schema, batches: Iterable[pa.RecordBatch]
) -> Iterator[pa.RecordBatch]:
    for part in (StreamPart(**json.loads(text)) for batch in batches for text in batch.column(0).to_pylist()):
        with raised_for_the_driver():
            found = read_part(folder, part).replace_schema_metadata()
        columns = [
            found.column(field.name) if field.name in found.column_names else pa.nulls(found.num_rows, field.type)
            for field in schema
        ]
        yield from for_spark(pa.Table.from_arrays(columns, schema=schema)).to_batches()


def _sequence_field() -> StructField:
    return StructField(_SEQUENCE, LongType(), False)


def _with(schema: StructType, *fields: StructField) -> StructType:
    return StructType([*schema, *fields])


def _as_retract(operation: Column) -> Column:
    is_taken = operation.isin(int(Operation.RETRACT), int(Operation.CORRECT_FROM))
    return F.when(is_taken, int(Operation.RETRACT)).otherwise(int(Operation.APPEND)).cast(ShortType())


def _arrow(state: DataFrame | None, rows: DataFrame) -> pa.Table | None:
    return None if state is None else rows.toArrow()


def _refuse_names(frame: DataFrame) -> None:
    """Spark takes names that differ in case alone for the same, and some are those of columns that are made here."""
    lower = [name.lower() for name in frame.columns]
    alike = sorted(name for name in frame.columns if lower.count(name.lower()) > 1)
    if alike:
        named = ", ".join(f"`{name}`" for name in alike)
        raise WrongUsage(f"Spark takes {named} for one column: give them other names")
    reserved = sorted(name for name in frame.columns if name.lower().startswith(_RESERVED))
    if reserved:
        raise WrongUsage(f"`{reserved[0]}` is the name of a column that is made on the way: give it another one")


_STANDARD = SparkChangelog()

merged_slice, converted_slice = _STANDARD.merged_slice, _STANDARD.converted_slice
replayed, write_parts = _STANDARD.replayed, _STANDARD.write_parts
