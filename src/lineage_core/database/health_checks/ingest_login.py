"""A login of the transport that cannot add events, or adds them elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from lineage_core.database.health_check import HealthCheck, Looked
from lineage_core.errors import LineageError
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.typed_rows import one_row


@dataclass(frozen=True)
class _Place:
    database: str
    may_insert: bool


def _fault(looked: Looked) -> Iterator[str]:
    if looked.ingest_dsn is None or looked.ingest_dsn == looked.dsn:
        return
    try:
        with connect(looked.ingest_dsn, application_name="lineage doctor") as connection:
            there = _place(connection)
    except LineageError as error:
        yield f"LINEAGE_INGEST_DSN leads nowhere: {str(error).rstrip('.')}"
        return
    if there.database != _place(looked.connection).database:
        yield "LINEAGE_INGEST_DSN names another database than LINEAGE_DSN"
    elif not there.may_insert:
        yield "The login of LINEAGE_INGEST_DSN may not add events"


def _place(connection: Connection) -> _Place:
    return one_row(connection, _Place, "database/health_checks/ingest_login")


HEALTH_CHECK = HealthCheck(
    "ingest_login",
    _fault,
    "Airflow's events wait in the spool until it is right: both settings name one database, and the login has the role"
    " lineage_ingest.",
)
