"""Map and filter on the records of a changelog stream, as seed 002 lets batch engines have them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import datetime
from functools import reduce
from typing import Any

from msgspec.structs import replace
from pyspark.sql import Column, DataFrame, SparkSession, Window
from pyspark.sql import functions as F  # noqa: N812
from pyspark.sql.types import ShortType, StructType

from lineage_core.changelog import STANDARD, Changelog, Operation
from lineage_core.changelog.migrated_records import StreamFiles
from lineage_core.errors import WrongUsage
from lineage_core.evolution import DataMigration
from lineage_core.evolution.data_types import Primitive, Struct
from lineage_core.spark.schema_changes import migrated, spark_type
from lineage_core.spark.slices import numbered_slice
from lineage_core.spark.whole_streams import first_of_pair, refuse_broken

_PAIR, _HALVES = "__pair", "__halves"
_ROW_BY_ROW = {"Project", "Filter"}
_PATTERNS = "org.apache.spark.sql.catalyst.trees.TreePattern$"

_ADVICE = (
    "What it gives for records that retract and correct is not what it gives for the rows that live. Replay the stream"
    " to its state, compute from that, and merge the result as a Snapshot: its changes are again a changelog stream"
)


class ChangelogFrame:
    """The records of a changelog stream, with what a batch engine may do to them: map and filter, row by row.

    The operation is carried as it is, so a map or a filter acts on what a record retracts as on what it appended. All
    else that a DataFrame can do is refused: a join or an aggregate of records is none of the table.
    """

    def __init__(self, records: DataFrame, changelog: Changelog = STANDARD, *, source: DataFrame | None = None) -> None:
        """source: the records of which these are some.

        Raises WrongUsage if the DataFrame has not all system columns.
        """
        if missing := [name for name in changelog.vocabulary.columns if name not in records.columns]:
            raise WrongUsage(f"This is no changelog stream: it has no column {', '.join(missing)}")
        self.records = records
        self.changelog = changelog
        self._source = records if source is None else source

    @classmethod
    def of_parts(cls, session: SparkSession, paths: Sequence[str], changelog: Changelog = STANDARD) -> ChangelogFrame:
        """The records of stream parts, whose paths the catalog of the stream has. What a part lacks is NULL in it."""
        return cls(session.read.option("mergeSchema", "true").parquet(*paths), changelog)

    def where(self, condition: Column | str) -> ChangelogFrame:
        """The records that fulfil a condition on their event time and data columns."""
        return self._row_by_row(self.records.where(condition))

    def select(self, *columns: str) -> ChangelogFrame:
        """Some of the data columns. System columns stay."""
        return self._row_by_row(self.records.select(*self.changelog.vocabulary.columns, *columns))

    def with_columns(self, columns: Mapping[str, Column]) -> ChangelogFrame:
        """More data columns, or others in their place. Raises WrongUsage if one is a system column."""
        if system := sorted({*columns} & {*self.changelog.vocabulary.columns}):
            raise WrongUsage(f"{', '.join(system)} is a system column, and is carried through a map as it is")
        return self._row_by_row(self.records.withColumns(dict(columns)))

    @contextmanager
    def slice(self, first_offset: int, system_time: datetime) -> Iterator[DataFrame]:
        """The records in their order as a slice of another stream; valid within the block.

        Where a filter has let only one record of a correction pass, that one is an append, or a retraction. Raises
        BrokenStream if the stream itself has half a pair, or an offset twice.
        """
        refuse_broken(self._source, self.changelog, may_have_gaps=True)
        operation = self.changelog.vocabulary.operation_type
        paired = self.records.withColumn(_PAIR, first_of_pair(self.changelog))
        halves = F.count(F.lit(1)).over(Window.partitionBy(_PAIR))
        whole = paired.withColumn(_HALVES, halves).withColumn(operation, _alone(F.col(operation), F.col(_HALVES)))
        names = [operation, self.changelog.vocabulary.event_time, *self.changelog.data_columns(self.records.columns)]
        changes = whole.select(_PAIR, self.changelog.vocabulary.offset, *names)
        order = [_PAIR, self.changelog.vocabulary.offset]
        with numbered_slice(changes, order, first_offset, system_time, None, self.changelog) as records:
            yield records

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_") or not hasattr(DataFrame, name):
            raise AttributeError(name)
        raise WrongUsage(f"`{name}` is not for the records of a changelog stream. {_ADVICE}")

    def _row_by_row(self, made: DataFrame) -> ChangelogFrame:
        """Raises WrongUsage if what was made looks at other rows, or not alike at equal ones."""
        before, plan = _plan(self.records), _plan(made)
        while not plan.equals(before):
            if plan.nodeName() not in _ROW_BY_ROW:
                raise WrongUsage(f"{plan.nodeName()} is not for the records of a changelog stream. {_ADVICE}")
            if not plan.deterministic():
                raise WrongUsage(
                    "A map or a filter must give the same for the same row, and this one does not: what it retracts"
                    " would not be what it appended"
                )
            self._refuse_what_is_of_the_record(plan)
            plan = plan.children().apply(0)
        return ChangelogFrame(made, self.changelog, source=self._source)

    def _refuse_what_is_of_the_record(self, plan: Any) -> None:
        """What holds of a row must not depend on which record says it, or when, or on other tables."""
        of_the_record = {*self.changelog.vocabulary.columns} - {self.changelog.vocabulary.event_time}
        patterns = plan.getClass().getClassLoader().loadClass(_PATTERNS).getField("MODULE$").get(None)
        for expression in _elements(plan.expressions()):
            if expression.nodeName() == "AttributeReference":
                continue  # a column that is carried as it is
            read = {one.name() for one in _elements(expression.references().toSeq())}
            if found := sorted(read & of_the_record):
                raise WrongUsage(
                    f"A map or a filter may read the event time and the data columns, and this one reads"
                    f" {', '.join(found)}: of a row, some records would pass, and others would not"
                )
            if expression.containsPattern(patterns.CURRENT_LIKE()):
                raise WrongUsage(
                    "A map or a filter may not read the time of its run: what it retracts would not be what it appended"
                )
            if expression.containsPattern(patterns.PLAN_EXPRESSION()):
                raise WrongUsage(f"A subquery is not for the records of a changelog stream. {_ADVICE}")


def _elements(sequence: Any) -> list[Any]:
    """Of a Seq of Scala."""
    return [sequence.apply(place) for place in range(sequence.size())]


def _plan(frame: DataFrame) -> Any:
    return frame._jdf.queryExecution().analyzed()


def _alone(operation: Column, halves: Column) -> Column:
    """One record of a correction without the other takes away, or adds."""
    lone = F.when(operation == int(Operation.CORRECT_FROM), int(Operation.RETRACT))
    lone = lone.when(operation == int(Operation.CORRECT_TO), int(Operation.APPEND)).otherwise(operation)
    return F.when(halves == 1, lone).otherwise(operation).cast(ShortType())


def stream_frame(session: SparkSession, files: StreamFiles) -> ChangelogFrame:
    """The records of a stream, in no order: `offset` has it. `lineage_core.streams.files_to_read` has its files.

    Raises WrongUsage if Spark has no type for a column.
    """
    frames = [
        migrated(session.read.schema(_as_struct_type(schema)).parquet(*paths), files.migration)
        for schema, paths in _scans(files).items()
    ]
    nothing = session.createDataFrame([], _as_struct_type(files.migration.target))
    return ChangelogFrame(reduce(DataFrame.union, frames) if frames else nothing)


def _scans(files: StreamFiles) -> dict[Struct, list[str]]:
    """The files, by the schema in which they are read: as few as there can be, as each is a scan."""
    scans = defaultdict[Struct, list[str]](list)
    for written, paths in files.paths.items():
        scans[_read_as(written, files.migration)] += paths
    return scans


def _read_as(written: Struct, migration: DataMigration) -> Struct:
    """The schema in which Spark reads files of another one. It finds columns by name, and gives nulls for those that
    are missing; what is nested is read as it was written.
    """
    if any(field.id is not None for field in migration.history.fields):
        return written
    wanted = {field.name for field in migration.target.fields}
    there = {field.name: field for field in written.fields}
    fields = (
        field if isinstance(field.type, Primitive) else there.get(field.name)
        for field in migration.history.fields
        if field.name in wanted
    )
    return Struct(tuple(replace(field, nullable=True) for field in fields if field is not None))


def _as_struct_type(struct: Struct) -> StructType:
    made = spark_type(struct)
    assert isinstance(made, StructType)  # noqa: S101
    return made
