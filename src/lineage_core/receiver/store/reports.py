"""What a process that receives reports of itself."""

from __future__ import annotations

from collections.abc import Mapping

from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.session_settings import set_for_transaction
from lineage_core.postgres.typed_rows import execute
from lineage_core.receiver.observations import Figure, Observations


def report(connection: Connection, process: Observations, figures: Mapping[str, Figure], *, is_ending: bool) -> None:
    """Says that the process lives, or ends, and what it did. Raises StoreUnavailable."""
    parameters = {
        "id": process.id,
        "host": process.host,
        "process": process.process,
        "is_ending": is_ending,
        "outcomes": list(figures),
        "documents": [figure.documents for figure in figures.values()],
        "requests": [figure.requests for figure in figures.values()],
        "microseconds": [figure.microseconds for figure in figures.values()],
        "longest": [figure.longest for figure in figures.values()],
    }
    with connection.outages_explained(), explained("lineage_ingest"), connection.transaction():
        set_for_transaction(connection, statement_timeout=connection.statement_timeout)
        execute(connection, "receiver/report", parameters)
