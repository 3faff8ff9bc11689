"""The transport by which a producer in Python, such as Airflow's provider, writes its events into `lineage_events`.

Each event goes to the spool first, and leaves it when it is stored: whatever happens between, also to the process, it
is not lost. A failure that will not pass by itself is raised, too: Airflow's provider logs it, and the task goes on.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openlineage.client.serde import Serde
from openlineage.client.transport import Config, Transport

from lineage_core.errors import WrongUsage
from lineage_core.ingest.delivery import deliver
from lineage_core.ingest.spool import MOST_BYTES
from lineage_core.own_lineage.application import reportable

if TYPE_CHECKING:
    from openlineage.client.client import Event


@dataclass(frozen=True)
class PostgresConfig(Config):
    """The options beside `type`. `spool_bytes` bounds the spool; where it lies, `LINEAGE_SPOOL` says."""

    spool_bytes: int = MOST_BYTES

    @classmethod
    def from_dict(cls, params: dict[str, Any]) -> PostgresConfig:
        size = params.get("spool_bytes", MOST_BYTES)
        if not isinstance(size, int) or size < 0:
            raise WrongUsage(f"The transport's spool_bytes must be a number of bytes, not {size!r}")
        return cls(size)


class PostgresTransport(Transport):
    """Inserts each event into the database that `LINEAGE_INGEST_DSN` names, or `LINEAGE_DSN` without it."""

    kind = "lineage_postgres"
    config_class = PostgresConfig

    def __init__(self, config: PostgresConfig) -> None:
        self.config = config

    def emit(self, event: Event) -> None:
        """Store one event, or keep it in the spool for whoever comes next. Raises NeedsOperator as `deliver` does."""
        deliver(body(event), self.config.spool_bytes)


def body(event: Event) -> bytes:
    """The event as it is stored."""
    document = Serde.to_dict(event)
    _shorten_error(document)
    return json.dumps(document, default=_named).encode()


def _shorten_error(document: dict[str, Any]) -> None:
    """Cut the error message, which may quote a command line and its log, and take secrets of DSNs out of it."""
    facets: dict[str, Any] = document.get("run", {}).get("facets") or {}
    error: dict[str, Any] = facets.get("errorMessage") or {}
    for field in error.keys() & {"message", "stackTrace"}:
        error[field] = reportable(error[field])


def _named(value: object) -> str:
    """What stands for a value that has no JSON form: its type, as the OpenLineage client says it."""
    return f"<<non-serializable: {type(value).__qualname__}>>"
