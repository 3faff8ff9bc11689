"""DAG files that Airflow cannot read."""

from __future__ import annotations

from collections.abc import Iterator

from airflow.models.errors import ParseImportError

from lineage_core.airflow.metadata import metadata
from lineage_core.health_check import HealthCheck, Looked


def _broken(_: Looked) -> Iterator[str]:
    with metadata() as session:
        errors = session.query(ParseImportError.filename, ParseImportError.stacktrace).order_by("filename").all()
    for file, trace in errors:
        last_line = (trace or "").strip().rpartition("\n")[2]
        yield f"Airflow cannot read the DAG file {file}: {last_line}"


HEALTH_CHECK = HealthCheck(
    "airflow_import_errors",
    _broken,
    "`airflow dags list-import-errors` shows all of it. The DAGs of the file do not run until it is mended.",
)
