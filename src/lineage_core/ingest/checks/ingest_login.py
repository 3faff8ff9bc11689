"""A login of the transport that cannot add events, or adds them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.errors import LineageError
from lineage_core.health_check import HealthCheck, Looked
from lineage_core.postgres.this_database import this_database
from lineage_core.postgres.typed_rows import one_value


def _fault(looked: Looked) -> Iterator[str]:
    if looked.ingest_store is None or looked.ingest_store == looked.store:
        return
    try:
        with looked.ingest_store.connect(application_name="lineage doctor") as connection:
            there = this_database(connection)
            may_insert = one_value(connection, bool, "ingest/checks/ingest_login")
    except LineageError as error:
        yield f"LINEAGE_INGEST_DSN leads nowhere: {str(error).rstrip('.')}"
        return
    if there != this_database(looked.connection):
        yield "LINEAGE_INGEST_DSN names another database than LINEAGE_DSN"
    elif not may_insert:
        yield "The login of LINEAGE_INGEST_DSN may not add events"


HEALTH_CHECK = HealthCheck(
    "ingest_login",
    _fault,
    "Airflow's events wait in the spool until it is right: both settings name one database, and the login has the role"
    " lineage_ingest.",
)
