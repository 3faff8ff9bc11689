"""The transport through which Airflow's OpenLineage provider writes its events into `lineage_events`.

Each event goes to the spool first, and leaves it when it is stored: whatever happens between, also to the process, it
is not lost. A failure that will not pass by itself is raised, too: the provider logs it, and the task goes on.
"""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from openlineage.client.serde import Serde
from openlineage.client.transport import Config, Transport

from lineage_core.errors import LineageError, NeedsOperator, TryAgain, WrongUsage
from lineage_core.ingest.run import drain, take_in
from lineage_core.ingest.spool import MOST_BYTES, Kept, Spool
from lineage_core.ingest.store.raw_events import impatient, insert_event
from lineage_core.postgres.addresses import redacted
from lineage_core.settings import dsns_in_environment, ingest_dsn_from_environment, spool_from_environment

if TYPE_CHECKING:
    from openlineage.client.client import Event

KEPT_CHARACTERS = 4_000
"""Of an error message, from its end: Airflow puts up to hundreds of lines of a failed job's log into it."""


DRAIN_SECONDS = 1.0
"""How long an emission goes on to store what others had to leave in the spool."""

_log = logging.getLogger(__name__)


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
        """Store one event, or keep it in the spool for whoever comes next.

        On a connection of its own, as it comes from a process that soon ends. Raises NeedsOperator where trying again
        will not help; the event is kept all the same, unless there is neither a database nor a spool for it.
        """
        raw, spool = body(event), None
        try:
            spool = Spool(spool_from_environment(), self.config.spool_bytes)
            kept = spool.put(raw)
        except NeedsOperator as problem:
            _store_at_once(raw, spool, problem)
            return
        with kept:
            _store(kept, spool)


def _store(kept: Kept, spool: Spool) -> None:
    """The event first, then what waits."""
    try:
        with impatient(_dsn()) as connection:
            take_in(connection, [kept])
            drain(connection, spool, DRAIN_SECONDS)
    except TryAgain as error:
        _log.warning("%s. Events wait in %s: the next one takes them along, or `lineage ingest`.", error, spool.folder)
    except NeedsOperator as error:
        raise NeedsOperator(f"{error} Events wait in {spool.folder}; `lineage ingest` stores them.") from error


def _store_at_once(raw: bytes, spool: Spool | None, problem: NeedsOperator) -> None:
    """For an event that cannot be kept; what waits makes room for the next."""
    try:
        insert_event(_dsn(), raw)
    except LineageError as error:
        raise NeedsOperator(f"An event is lost: {error} {problem}.") from error
    _log.warning("%s. The event is stored all the same.", problem)
    if spool is not None:
        with suppress(LineageError), impatient(_dsn()) as connection:
            drain(connection, spool, DRAIN_SECONDS)


def _dsn() -> str:
    dsn = ingest_dsn_from_environment()
    if dsn is None:
        raise NeedsOperator(
            "Neither LINEAGE_INGEST_DSN nor LINEAGE_DSN is set, so that Airflow's lineage has nowhere to go."
        )
    return dsn


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
        error[field] = redacted(error[field], *dsns_in_environment())[-KEPT_CHARACTERS:]


def _named(value: object) -> str:
    """What stands for a value that has no JSON form: its type, as the OpenLineage client says it."""
    return f"<<non-serializable: {type(value).__qualname__}>>"
