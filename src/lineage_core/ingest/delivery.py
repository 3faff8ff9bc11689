"""Delivery of single events by who makes them: to the spool first, then into the store, whatever happens between."""

from __future__ import annotations

import logging
from contextlib import suppress

from lineage_core.errors import LineageError, NeedsOperator, TryAgain
from lineage_core.ingest.ingestion import drain, take_in
from lineage_core.ingest.spool import MOST_BYTES, Spool, SpooledEvent
from lineage_core.ingest.store import impatient, insert_event
from lineage_core.postgres.store import Store
from lineage_core.settings import ingest_dsn_from_environment, spool_from_environment

DRAIN_SECONDS = 1.0
"""How long a delivery goes on to store what others had to leave in the spool."""

_log = logging.getLogger(__name__)


def deliver(raw: bytes, spool_bytes: int = MOST_BYTES) -> None:
    """Store one event in the database of `LINEAGE_INGEST_DSN`, or of `LINEAGE_DSN` without it, or keep it in the spool.

    On a connection of its own, as it comes from a process that soon ends. Raises NeedsOperator where trying again
    will not help; the event is kept all the same, unless there is neither a database nor a spool for it.
    """
    spool = None
    try:
        spool = Spool(spool_from_environment(), spool_bytes)
        kept = spool.put(raw)
    except NeedsOperator as problem:
        _store_at_once(raw, spool, problem)
        return
    with kept:
        _store(kept, spool)


def _store(kept: SpooledEvent, spool: Spool) -> None:
    """The event first, then what waits."""
    try:
        with impatient(_destination()) as connection:
            take_in(connection, [kept])
            drain(connection, spool, DRAIN_SECONDS)
    except TryAgain as error:
        _log.warning("%s. Events wait in %s: the next one takes them along, or `lineage ingest`.", error, spool.folder)
    except NeedsOperator as error:
        raise NeedsOperator(f"{error} Events wait in {spool.folder}; `lineage ingest` stores them.") from error


def _store_at_once(raw: bytes, spool: Spool | None, problem: NeedsOperator) -> None:
    """For an event that cannot be kept; what waits makes room for the next."""
    try:
        insert_event(_destination(), raw)
    except LineageError as error:
        raise NeedsOperator(f"An event is lost: {error} {problem}.") from error
    _log.warning("%s. The event is stored all the same.", problem)
    if spool is not None:
        with suppress(LineageError), impatient(_destination()) as connection:
            drain(connection, spool, DRAIN_SECONDS)


def _destination() -> Store:
    dsn = ingest_dsn_from_environment()
    if dsn is None:
        raise NeedsOperator(
            "Neither LINEAGE_INGEST_DSN nor LINEAGE_DSN is set, so that Airflow's lineage has nowhere to go."
        )
    return Store(dsn)
