"""What Spark is told, whoever starts it."""

from __future__ import annotations

from pathlib import Path

_LOGGING = Path(__file__).resolve().parent / "spark" / "log4j2.properties"

JVM_OPTIONS = f"-XX:TieredStopAtLevel=1 -Dlog4j2.configurationFile={_LOGGING.as_uri()}"
"""Python and Postgres do the work, so that a JVM which starts soon is worth more than one which compiles well."""

SHORT_RUNS = {"spark.ui.enabled": "false", "spark.driver.extraJavaOptions": JVM_OPTIONS}
"""A scheduled run takes seconds, so that what Spark does for long ones is left out."""
