"""Delivery of single events by who makes them: to the spool first, then into the store, whatever happens between."""

from __future__ import annotations

import logging
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from lineage_core.errors import LineageError, NeedsOperator, TryAgain
from lineage_core.ingest.ingestion import drain, take_in
from lineage_core.ingest.routes import store_of_document
from lineage_core.ingest.spool import MOST_BYTES, Spool, SpooledEvent
from lineage_core.ingest.store import impatient, insert_event
from lineage_core.postgres.store import Store
from lineage_core.settings import (
    ingest_dsn_from_environment,
    ingest_dsn_of_store,
    spool_from_environment,
    spool_of_store,
    store_list_from_environment,
)

DRAIN_SECONDS = 1.0
"""How long a delivery goes on to store what others had to leave in the spool."""

_log = logging.getLogger(__name__)


def deliver(raw: bytes, spool_bytes: int = MOST_BYTES) -> None:
    """Store one event in the database of `LINEAGE_INGEST_DSN`, or of `LINEAGE_DSN` without it, or keep it in the spool.

    Where there is a list of stores, it goes to the one of its route. On a connection of its own, as it comes from a
    process that soon ends. Raises NeedsOperator where trying again will not help; the event is kept all the same,
    unless there is neither a database nor a spool for it.
    """
    to = _addressed(raw)
    spool = None
    try:
        spool = Spool(to.spool(), spool_bytes)
        kept = spool.put(raw)
    except NeedsOperator as problem:
        _store_at_once(raw, to, spool, problem)
        return
    with kept:
        _store(kept, to, spool)


@dataclass(frozen=True)
class _Addressee:
    """Where an event goes. name: of a store of the list; None where there is none. problem: with the list, if any."""

    name: str | None = None
    problem: NeedsOperator | None = None

    def spool(self) -> Path:
        """Without knowing the store, events wait where `lineage ingest` looks for their routes."""
        return spool_from_environment() if self.name is None else spool_of_store(self.name)

    def store(self) -> Store:
        if self.problem is not None:
            raise self.problem
        dsn = ingest_dsn_from_environment() if self.name is None else ingest_dsn_of_store(self.name)
        if dsn is None:
            raise NeedsOperator(
                "Neither LINEAGE_INGEST_DSN nor LINEAGE_DSN is set, so that Airflow's lineage has nowhere to go."
            )
        return Store(dsn)


def _addressed(raw: bytes) -> _Addressee:
    try:
        listed = store_list_from_environment()
    except NeedsOperator as problem:
        return _Addressee(problem=problem)
    return _Addressee(None if listed is None else store_of_document(listed, raw))


def _store(kept: SpooledEvent, to: _Addressee, spool: Spool) -> None:
    """The event first, then what waits."""
    try:
        with impatient(to.store()) as connection:
            take_in(connection, [kept])
            drain(connection, spool, DRAIN_SECONDS)
    except TryAgain as error:
        _log.warning("%s. Events wait in %s: the next one takes them along, or `lineage ingest`.", error, spool.folder)
    except NeedsOperator as error:
        raise NeedsOperator(f"{error} Events wait in {spool.folder}; `lineage ingest` stores them.") from error


def _store_at_once(raw: bytes, to: _Addressee, spool: Spool | None, problem: NeedsOperator) -> None:
    """For an event that cannot be kept; what waits makes room for the next."""
    try:
        insert_event(to.store(), raw)
    except LineageError as error:
        raise NeedsOperator(f"An event is lost: {error} {problem}.") from error
    _log.warning("%s. The event is stored all the same.", problem)
    if spool is not None:
        with suppress(LineageError), impatient(to.store()) as connection:
            drain(connection, spool, DRAIN_SECONDS)
