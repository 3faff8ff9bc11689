"""One query in Spark SQL of relations that are found by their names, as it asks for them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F  # noqa: N812

from lineage_core.command_line.found_rows import FoundRows
from lineage_core.errors import LineageError, NeedsOperator, TryAgain, WrongUsage

_SETTINGS = {
    "spark.sql.session.timeZone": "UTC",
    # So that one text is understood here and by DuckDB.
    "spark.sql.ansi.enabled": "true",
    "spark.sql.ansi.doubleQuotedIdentifiers": "true",
}
_UNKNOWN_RELATION = "TABLE_OR_VIEW_NOT_FOUND"
_UNREADABLE_FILE = ("FAILED_READ_FILE", "PATH_NOT_FOUND")

FoundFrame = Callable[[SparkSession, str], DataFrame | None]
"""The relation of a name, which may be a query of others; None if there is none."""


def queried_rows(session: SparkSession, text: str, found: FoundFrame, most: int) -> FoundRows:
    """The rows of a query, in its order, `most` of them at the most.

    Raises WrongUsage if the text is no query, or one that Spark refuses, NeedsOperator if a file is gone or damaged,
    and TryAgain if Spark fails at work.
    """
    for name, value in _SETTINGS.items():
        session.conf.set(name, value)
    query = text.strip().rstrip(";")
    with _without_traces():
        _refuse_commands(session, query)
        try:
            table = analysed(session, query, found).limit(most + 1).toArrow()
        except PySparkException as error:
            raise _failure(error) from error
    # By their places: two columns of a query may have one name.
    rows = tuple(zip(*(column.to_pylist() for column in table.columns), strict=True))
    return FoundRows(tuple(table.column_names), rows[:most], len(rows) <= most)


def event_files(session: SparkSession, paths: Sequence[str], filename: str) -> DataFrame:
    """Rows of Parquet files, each with the URL of its file as a column of that name."""
    return session.read.parquet(*paths).withColumn(filename, F.input_file_name())


@contextmanager
def _without_traces() -> Iterator[None]:
    """PySpark writes each error with the stack of its JVM to the log; ours say what of it is for people."""
    logger = logging.getLogger("SQLQueryContextLogger")
    before, logger.disabled = logger.disabled, True
    try:
        yield
    finally:
        logger.disabled = before


def _refuse_commands(session: SparkSession, query: str) -> None:
    """Raises WrongUsage for what is no query: Spark does commands at once, and some of them write files.

    Behind EXISTS there can be nothing but a query. The line breaks end a comment.
    """
    if not _parses(session, query) or _parses(session, f"SELECT EXISTS (\n{query}\n)"):
        return  # what cannot be read is refused when it is analysed
    raise WrongUsage("This is a command. An archive answers queries alone, which begin with SELECT or WITH")


def _parses(session: SparkSession, text: str) -> bool:
    on_jvm: Any = session
    try:
        on_jvm._jsparkSession.sessionState().sqlParser().parsePlan(text)
    except ParseException:
        return False
    return True


def analysed(session: SparkSession, query: str, found: FoundFrame) -> DataFrame:
    """The frame of a query, once all relations that it names are views of the session. Raises what Spark raises."""
    made = set[str]()
    while True:
        try:
            return session.sql(query)
        except AnalysisException as error:
            name = _unknown_relation(error)
            frame = None if name is None or name in made else found(session, name)
            if name is None or frame is None:
                raise
            frame.createOrReplaceTempView(name)
            made.add(name)


def _unknown_relation(error: AnalysisException) -> str | None:
    """The one that Spark looked for."""
    if error.getCondition() != _UNKNOWN_RELATION:
        return None
    return (error.getMessageParameters() or {}).get("relationName", "")[1:-1].replace("``", "`")


def _failure(error: PySparkException) -> LineageError:
    """Without the plan and the stack that stand below the first line."""
    condition = error.getCondition() or ""
    reason = str(error).strip().partition("\n")[0].rstrip(".")
    if condition.startswith(_UNREADABLE_FILE):
        return NeedsOperator(f"A file cannot be read: {reason}. Bring it back, then ask again")
    if condition:
        return WrongUsage(f"The query cannot be answered: {reason}")
    return TryAgain(f"The query failed: {reason}. Nothing was changed")
