"""The transport through which Airflow's OpenLineage provider writes its events into `lineage_events`.

A failure is raised: the provider logs it as a warning, and the task that the event speaks of goes on.
"""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any

from openlineage.client.serde import Serde
from openlineage.client.transport import Transport

from lineage_core.errors import NeedsOperator
from lineage_core.settings import Settings
from lineage_core.store.raw_events import insert_event

if TYPE_CHECKING:
    from openlineage.client.client import Event
    from openlineage.client.transport import Config

KEPT_CHARACTERS = 4_000
"""Of an error message, from its end: Airflow puts up to hundreds of lines of a failed job's log into it."""

PASSWORD_IN_ADDRESS = re.compile(r"(?P<start>\w://[^/\s:@]*:)[^/\s@]+@")


class PostgresTransport(Transport):
    """Inserts each event into the database that `LINEAGE_INGEST_DSN` names, or `LINEAGE_DSN` without it."""

    kind = "lineage_postgres"

    def __init__(self, config: Config) -> None:
        self.config = config

    def emit(self, event: Event) -> None:
        """Insert one event; each on a connection of its own, as it comes from a process that soon ends."""
        dsn = Settings.from_environment().ingest_dsn
        if dsn is None:
            raise NeedsOperator(
                "Neither LINEAGE_INGEST_DSN nor LINEAGE_DSN is set, so that Airflow's lineage has nowhere to go."
            )
        insert_event(dsn, body(event))


def body(event: Event) -> bytes:
    """The event as it is stored."""
    document = Serde.to_dict(event)
    _shorten_error(document)
    return json.dumps(document, default=_named).encode()


def _shorten_error(document: dict[str, Any]) -> None:
    """Cut the error message, which may quote a command line and its log, and take passwords out of addresses in it."""
    facets: dict[str, Any] = document.get("run", {}).get("facets") or {}
    error: dict[str, Any] = facets.get("errorMessage") or {}
    for field in error.keys() & {"message", "stackTrace"}:
        error[field] = PASSWORD_IN_ADDRESS.sub(r"\g<start>***@", error[field])[-KEPT_CHARACTERS:]


def _named(value: object) -> str:
    """What stands for a value that has no JSON form: its type, as the OpenLineage client says it."""
    return f"<<non-serializable: {type(value).__qualname__}>>"
