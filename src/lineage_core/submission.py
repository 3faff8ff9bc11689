"""Settings of Spark, whoever starts it, and where its Python modules come from."""

from __future__ import annotations

import os
import sys
from importlib.util import find_spec
from pathlib import Path

_LOGGING = Path(__file__).resolve().parent / "spark" / "log4j2.properties"

JVM_OPTIONS = f"-XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile={_LOGGING.as_uri()}"
"""Python and Postgres do the work, so that a JVM which starts soon is worth more than one which compiles well."""


WORKERS_DAEMON = "lineage_core.spark.daemon"
"""The module that forks Spark's Python workers."""


def prefer_installed_pyspark() -> None:
    """Takes the zips of the PySpark that is installed here out of `sys.path`, before anything imports it.

    Spark puts them first, for machines that have nothing else. They hold the modules that are installed, without
    bytecode: each process would compile all that it imports, which takes it longer than a second.
    """
    sys.path[:] = [entry for entry in sys.path if not _is_zip_of_installed(entry)]


def _is_zip_of_installed(entry: str) -> bool:
    """Whether the package that the zip is a part of is on the path, too: `SITE/pyspark/python/lib/pyspark.zip`."""
    parts = Path(entry).parts
    if parts[-4:-1] != ("pyspark", "python", "lib") or not entry.endswith(".zip"):
        return False
    site = os.path.realpath(Path(*parts[:-4]))
    return any(os.path.realpath(other) == site for other in sys.path if other)


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
