"""Settings of Spark, whoever starts it."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path

_LOGGING = Path(__file__).resolve().parent / "spark" / "log4j2.properties"

JVM_OPTIONS = f"-XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile={_LOGGING.as_uri()}"
"""Python and Postgres do the work, so that a JVM which starts soon is worth more than one which compiles well."""


def packaged_spark() -> Path:
    """The value of SPARK_HOME for the PySpark that is installed here.

    Without it Spark's scripts ask `PYSPARK_PYTHON` where they are, by a command that a space in its path breaks.
    """
    found = find_spec("pyspark")
    assert found is not None and found.origin is not None  # noqa: S101 - it is required
    return Path(found.origin).parent


def class_archive(home: Path) -> Path:
    """Where the class archive lies below LINEAGE_HOME, from which a JVM has Spark's classes without loading them."""
    return home / "java" / "spark-classes.jsa"


def jvm_options(home: Path) -> str:
    """Options of the driver's JVM, for `spark.driver.extraJavaOptions`; with the class archive, if it was made.

    A JVM that cannot use it, as Java was upgraded, warns and goes on; on standard output, unless an option says
    otherwise.
    """
    archive = class_archive(home)
    if not archive.exists():
        return JVM_OPTIONS
    return f'{JVM_OPTIONS} "-XX:SharedArchiveFile={archive}" -Xlog:disable -Xlog:all=warning:stderr'


def short_runs(home: Path) -> dict[str, str]:
    """Spark's settings for a scheduled run: it takes seconds, so that what Spark does for long ones is left out."""
    return {"spark.ui.enabled": "false", "spark.driver.extraJavaOptions": jvm_options(home)}
