"""Ingest: files of events, and those of the spool, into `lineage_events`, and what is no event into quarantine."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass

import msgspec

from lineage_core.errors import LineageError, WrongUsage
from lineage_core.ingest.event_files import EventFile, FoundFiles, OpenFile, OpeningFailure, ReadingFailure, opened
from lineage_core.ingest.spool import Spool, SpooledEvent
from lineage_core.ingest.store import store
from lineage_core.model.arrivals import AcceptedEvent, RefusedDocument, judge, refuse
from lineage_core.openlineage.documents import Piece
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store

BATCH_DOCUMENTS = 2_000
BATCH_BYTES = 8 << 20
"""A batch is one transaction. It exceeds this by one document at most."""

SPOOLED_DOCUMENTS = 200
SPOOLED_BYTES = 1 << 20
"""A batch from the spool is smaller: who empties it besides his own work looks at his watch after each."""

SPOOL_SOURCE = "transport"

_log = logging.getLogger(__name__)

IngestProgress = Callable[[EventFile, int], None]
"""Called, after each batch, with the file and how many of its bytes have been read."""


@dataclass(frozen=True)
class IngestOutcome:
    """What an ingest did."""

    files: int
    """Files that were read, from their beginning at least."""
    events: int
    quarantined: int
    """Documents that went to quarantine, or were there already."""
    seconds: float
    spooled: int = 0
    """Documents that came from the spool."""
    unreadable: tuple[ReadingFailure, ...] = ()
    """Files and folders that were not read, or not to their end."""


Arrival = AcceptedEvent | RefusedDocument

Take = Callable[[Sequence[Arrival]], None]
"""Stores a batch."""


def _no_progress(file: EventFile, read: int) -> None:
    """Shows nothing."""


def ingest(
    destination: Store, found: FoundFiles, progress: IngestProgress = _no_progress, spool: Spool | None = None
) -> IngestOutcome:
    """Read the files one after another, then the spool, and commit each batch: what was committed is whole.

    To start again is safe, whatever stopped it: an event that arrives twice is the same event. What cannot be read is
    passed over, and named in the outcome. Raises WrongUsage, before anything is stored, for a named file without event.
    """
    refuse_files_of_others(found)
    started, stored, drained = time.monotonic(), StoredDocuments(), StoredDocuments()
    with destination.connect_for_transactions() as connection:

        def take(batch: Sequence[Arrival]) -> None:
            nonlocal stored
            stored += StoredDocuments(len(batch), store(connection, batch))

        files = read_files(found, take, progress)
        if spool is not None:
            drained = drain(connection, spool)
    total = stored + drained
    return IngestOutcome(
        files=files.read,
        events=total.documents - total.quarantined,
        quarantined=total.quarantined,
        seconds=round(time.monotonic() - started, 3),
        spooled=drained.documents,
        unreadable=files.unreadable,
    )


@dataclass(frozen=True)
class ReadFiles:
    """How many files were read, from their beginning at least, and what was not read, or not to its end."""

    read: int
    unreadable: tuple[ReadingFailure, ...]


def read_files(found: FoundFiles, take: Take, progress: IngestProgress = _no_progress) -> ReadFiles:
    """Hands over what the files hold, batch by batch."""
    unreadable, unopened = list(found.unreadable), 0
    for file in found.files:
        try:
            with opened(file) as content:
                for batch in _batches(file, content, progress):
                    take(batch)
                unreadable += [content.damage] if content.damage else []
        except OpeningFailure as wrong:
            unreadable.append(wrong.unreadable)
            unopened += 1
    return ReadFiles(len(found.files) - unopened, tuple(unreadable))


MEMBERS_OF_EVENTS = frozenset({"eventTime", "eventType", "run", "job", "dataset"})


def refuse_files_of_others(found: FoundFiles) -> None:
    """For a person who has named the wrong file: each line of it would go to quarantine.

    Faulty events are events. What can be read once only is taken as it comes.
    """
    for file in found.files:
        if file.is_named and file.path is not None and file.path.is_file() and not _may_have_events(file):
            raise WrongUsage(f"{file.name} holds no OpenLineage event, so nothing was stored.")


def _may_have_events(file: EventFile) -> bool:
    """Whether it is empty, has an event, or cannot be read far enough to know."""
    is_empty = True
    try:
        with opened(file) as content:
            for piece in content.pieces():
                if _is_like_an_event(piece.raw):
                    return True
                is_empty = False
            return is_empty or content.damage is not None
    except OpeningFailure:
        return True


def _is_like_an_event(document: bytes) -> bool:
    """Whether it has a member that only events need; of what is no whole JSON object, whether it seems to have one."""
    try:
        return not MEMBERS_OF_EVENTS.isdisjoint(_members.decode(document))
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return b'"eventTime"' in document


_members = msgspec.json.Decoder(dict[str, msgspec.Raw])


@dataclass(frozen=True)
class StoredDocuments:
    """How many documents were stored, and how many of them went to quarantine."""

    documents: int = 0
    quarantined: int = 0

    def __add__(self, other: StoredDocuments) -> StoredDocuments:
        return StoredDocuments(self.documents + other.documents, self.quarantined + other.quarantined)


def drain(connection: Connection, spool: Spool, seconds: float = float("inf")) -> StoredDocuments:
    """Store what waits in the spool, beside others who do the same. What is stored leaves it, batch by batch.

    Begins no batch when time is up. What cannot be stored for a reason of its own stays, and is logged.
    """
    drained, until = StoredDocuments(), time.monotonic() + seconds
    with closing(spool.claimed()) as waiting:
        while time.monotonic() < until:
            with ExitStack() as held:
                batch = list(_held(waiting, held))
                if not batch:
                    break
                drained += take_in(connection, batch)
    return drained


def take_in(connection: Connection, batch: Sequence[SpooledEvent]) -> StoredDocuments:
    """Store what is kept, in one transaction, then remove it. One that fails by a fault of ours is found by halving."""
    try:
        quarantined = store(connection, [judge(kept.raw, SPOOL_SOURCE) for kept in batch])
    except LineageError:
        raise
    except Exception:
        if len(batch) == 1:
            _log.exception("%s stays in the spool: it cannot be stored.", batch[0].path)
            return StoredDocuments()
        middle = len(batch) // 2
        return take_in(connection, batch[:middle]) + take_in(connection, batch[middle:])
    for kept in batch:
        kept.remove()
    return StoredDocuments(len(batch), quarantined)


def _held(waiting: Iterator[SpooledEvent], held: ExitStack) -> Iterator[SpooledEvent]:
    """A batch of what waits, locked for as long as the stack lasts."""
    size = documents = 0
    while documents < SPOOLED_DOCUMENTS and size < SPOOLED_BYTES:
        kept = next(waiting, None)
        if kept is None:
            return
        yield held.enter_context(kept)
        documents += 1
        size += len(kept.raw)


def _batches(file: EventFile, content: OpenFile, progress: IngestProgress) -> Iterator[list[Arrival]]:
    for pieces in _grouped(content.pieces()):
        yield [_judged(piece, file) for piece in pieces]
        progress(file, content.position)


def _grouped(pieces: Iterator[Piece]) -> Iterator[list[Piece]]:
    group, size = list[Piece](), 0
    for piece in pieces:
        group.append(piece)
        size += len(piece.raw)
        if len(group) == BATCH_DOCUMENTS or size >= BATCH_BYTES:
            yield group
            group, size = list[Piece](), 0
    if group:
        yield group


def _judged(piece: Piece, file: EventFile) -> Arrival:
    source = f"{file.name}, line {piece.line}, byte {piece.offset}"
    return judge(piece.raw, source) if piece.fault is None else refuse(piece.raw, piece.fault, source)
