"""Which of several stores a document goes to, and ingest into all of them: each has its connection and its spool.

A store that takes nothing holds up no other: what it does not take is counted, and stays where it came from.
"""

from __future__ import annotations

import logging
import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

import msgspec

from lineage_core.errors import LineageError
from lineage_core.ingest.event_files import FoundFiles
from lineage_core.ingest.ingestion import (
    Arrival,
    IngestOutcome,
    IngestProgress,
    StoredDocuments,
    drain,
    read_files,
    refuse_files_of_others,
)
from lineage_core.ingest.spool import Spool
from lineage_core.ingest.store import store
from lineage_core.model.arrivals import AcceptedEvent, judge
from lineage_core.namespace_format import formatted_namespace
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.settings import ingest_dsn_of_store
from lineage_core.store_list import StoreList

Taken = TypeVar("Taken")

_log = logging.getLogger(__name__)


class _NamedThing(msgspec.Struct):
    namespace: str


class _ReadableDocument(msgspec.Struct):
    job: _NamedThing | None = None
    dataset: _NamedThing | None = None


_readable = msgspec.json.Decoder(_ReadableDocument)


def routing_namespace(arrival: Arrival) -> str | None:
    """The formatted namespace by which a document finds its store; None if none can be read in it.

    What is refused has one, too, if its job is readable: it goes to the quarantine where its run is.
    """
    if isinstance(arrival, AcceptedEvent):
        return arrival.namespace
    with suppress(msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        document = _readable.decode(arrival.raw)
        named = document.job or document.dataset
        return formatted_namespace(named.namespace) if named else None
    return None


def store_of_document(listed: StoreList, raw: bytes) -> str:
    """The name of the store that a document goes to."""
    return listed.store_of(routing_namespace(judge(raw, "")))


def by_store(listed: StoreList, arrivals: Iterable[Arrival]) -> dict[str, list[Arrival]]:
    """The documents of each store, in their order."""
    shares = defaultdict[str, list[Arrival]](list)
    for arrival in arrivals:
        shares[listed.store_of(routing_namespace(arrival))].append(arrival)
    return dict(shares)


@dataclass(frozen=True)
class StoreShare:
    """What of an ingest is a store's. spooled: documents of its spool, which are among the others.

    unstored: documents of files that it did not take. problem: why, and why its spool was not emptied; None if nothing
    was in the way.
    """

    events: int = 0
    quarantined: int = 0
    spooled: int = 0
    unstored: int = 0
    problem: str | None = None


@dataclass(frozen=True)
class RoutedIngestOutcome(IngestOutcome):
    """What an ingest into several stores did; the numbers of all of them are those of what was stored."""

    stores: Mapping[str, StoreShare] = field(default_factory=dict)


@dataclass
class _StoreIntake:
    """An ingest into one store. Once it has failed it is not tried again."""

    name: str
    stored: StoredDocuments = field(default_factory=StoredDocuments)
    drained: StoredDocuments = field(default_factory=StoredDocuments)
    unstored: int = 0
    problem: LineageError | None = None
    _connection: Connection | None = None

    def take(self, batch: Sequence[Arrival]) -> None:
        quarantined = self._attempt(lambda connection: store(connection, batch))
        if quarantined is None:
            self.unstored += len(batch)
        else:
            self.stored += StoredDocuments(len(batch), quarantined)

    def empty(self, spool: Spool) -> None:
        """Stores what waits in its spool. Where nothing does, the store need not be there."""
        try:
            waits = spool.oldest() is not None
        except LineageError as error:
            self.problem = self.problem or error
            return
        if waits:
            self.drained += self._attempt(lambda connection: drain(connection, spool)) or StoredDocuments()

    def close(self) -> None:
        if self._connection is not None:
            self._connection.close()

    def share(self) -> StoreShare:
        total = self.stored + self.drained
        return StoreShare(
            events=total.documents - total.quarantined,
            quarantined=total.quarantined,
            spooled=self.drained.documents,
            unstored=self.unstored,
            problem=None if self.problem is None else str(self.problem),
        )

    def _attempt(self, work: Callable[[Connection], Taken]) -> Taken | None:
        if self.problem is not None:
            return None
        try:
            if self._connection is None:
                self._connection = Store(ingest_dsn_of_store(self.name)).connect_for_transactions()
            with self._connection.outages_explained():
                return work(self._connection)
        except LineageError as error:
            self.problem = error
            return None


def ingest_by_routes(
    listed: StoreList, found: FoundFiles, spool: Path, progress: IngestProgress = lambda _file, _read: None
) -> RoutedIngestOutcome:
    """As `ingest`, each document into the store of its route. spool: the folder that has that of each store in it.

    A store that cannot be reached, or refuses, has what it did not take in its share; the others go on.
    """
    refuse_files_of_others(found)
    started = time.monotonic()
    intakes = {name: _StoreIntake(name) for name in listed.stores}

    def take(batch: Sequence[Arrival]) -> None:
        for name, share in by_store(listed, batch).items():
            intakes[name].take(share)

    try:
        files = read_files(found, take, progress)
        sort_spool(listed, spool)
        for name, intake in intakes.items():
            intake.empty(Spool(spool / name))
    finally:
        for intake in intakes.values():
            intake.close()
    shares = {name: intake.share() for name, intake in intakes.items()}
    return RoutedIngestOutcome(
        files=files.read,
        events=sum(share.events for share in shares.values()),
        quarantined=sum(share.quarantined for share in shares.values()),
        seconds=round(time.monotonic() - started, 3),
        spooled=sum(share.spooled for share in shares.values()),
        unreadable=files.unreadable,
        stores=shares,
    )


def sort_spool(listed: StoreList, folder: Path) -> None:
    """Moves what waits in no store's folder into that of its route: from before there was a list, or of a store that
    has left it. What finds no room stays, and is logged.
    """
    for place in (folder, *_folders_of_others(listed, folder)):
        for kept in Spool(place).claimed():
            with kept:
                try:
                    with Spool(folder / store_of_document(listed, kept.raw)).put(kept.raw):
                        kept.remove()
                except LineageError as error:
                    _log.warning("%s stays where it is: %s", kept.path, error)


def _folders_of_others(listed: StoreList, folder: Path) -> list[Path]:
    with suppress(OSError):
        return sorted(one for one in folder.iterdir() if one.is_dir() and one.name not in listed.stores)
    return []
