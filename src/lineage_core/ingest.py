"""Ingest: files of events into `lineage_events`, and what is no event into quarantine."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from lineage_core.arrivals import Accepted, Refused, judge, refuse
from lineage_core.documents import Piece
from lineage_core.event_files import EventFile, opened
from lineage_core.store.connection import connect
from lineage_core.store.raw_events import store

BATCH_DOCUMENTS = 2_000
BATCH_BYTES = 8 << 20
"""A batch is one transaction. It exceeds this by one document at most."""

Progress = Callable[[EventFile, int], None]
"""Told, after each batch, the file and how many of its bytes have been read."""


@dataclass(frozen=True)
class Summary:
    """What an ingest did. `quarantined` counts documents that were in quarantine already, too."""

    files: int
    events: int
    quarantined: int
    seconds: float


def _untold(file: EventFile, read: int) -> None:
    """Nobody watches."""


def ingest(dsn: str, files: Sequence[EventFile], progress: Progress = _untold) -> Summary:
    """Read the files one after another and commit each batch: whatever stops it, what was committed is whole.

    To start again is safe: an event that arrives twice is the same event.
    """
    started, documents, quarantined = time.monotonic(), 0, 0
    with connect(dsn, autocommit=True) as connection:
        for file in files:
            for batch in _batches(file, progress):
                quarantined += store(connection, batch)
                documents += len(batch)
    return Summary(len(files), documents - quarantined, quarantined, round(time.monotonic() - started, 3))


def _batches(file: EventFile, progress: Progress) -> Iterator[list[Accepted | Refused]]:
    with opened(file) as content:
        for pieces in _grouped(content.pieces()):
            yield [_judged(piece, file) for piece in pieces]
            progress(file, content.position)
        content.refuse_damage()


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


def _judged(piece: Piece, file: EventFile) -> Accepted | Refused:
    source = f"{file.name}, line {piece.line}, byte {piece.offset}"
    return judge(piece.raw, source) if piece.fault is None else refuse(piece.raw, piece.fault, source)
