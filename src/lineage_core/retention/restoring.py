"""Archived raw events come back into the store, under a legal hold that keeps them there."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from lineage_core.declare.database_names import OPERATORS
from lineage_core.files import FileFolder
from lineage_core.openlineage.instants import LAST, instant
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.retention.archive_manifest import ArchiveManifest
from lineage_core.retention.event_archive import (
    manifest_name,
    named_manifest,
    part_rows,
    refuse_damaged,
    refuse_miscounted,
    refuse_mistimed,
)
from lineage_core.retention.store import raw_events
from lineage_core.retention.store.policies import HeldThing, add_hold
from lineage_core.retention.store.raw_events import RestoredEvent

RESTORED_AT_ONCE = 1_000
_RESTORED_BYTES = 4 << 20
"""Of the events that one transaction puts back."""


@dataclass(frozen=True)
class RestoredArchive:
    """What a restoring did. `hold`: the number of the legal hold under which the events are."""

    restored: int
    already_there: int
    hold: int


def restore(
    store: Store, manifest_url: str, progress: Callable[[int, int], object] = lambda _done, _total: None
) -> RestoredArchive:
    """Brings the events of a manifest back, as they came and as waiting, under a legal hold that is there first.

    What is there is not doubled, so the same call again goes on. Raises NeedsOperator, of an archive that is damaged,
    before anything is restored.

    progress: called with the bytes of events that are read, and of how many: each is read twice, first to look whether
    the archive is whole.
    """
    folder, manifest = named_manifest(manifest_url)
    bounds = list[int]()
    read = 0
    for part in manifest.parts:
        refuse_damaged(folder, part)
        found = [_time_and_size(row) for rows in part_rows(folder, part, ("event_time", "event_bytes")) for row in rows]
        refuse_miscounted(folder, part, len(found), sum(size for _, size in found))
        times = [happened for happened, _ in found]
        refuse_mistimed(folder, part, times)
        bounds += (min(times), max(times))
        read += part.bytes
        progress(read, 2 * manifest.bytes)
    with store.session(OPERATORS, autocommit=True) as connection:
        hold = _hold(store, connection, manifest_name(folder), (min(bounds), max(bounds)))
        restored = 0
        for events in _restorable(folder, manifest):
            with connection.transaction():
                restored += raw_events.restore_events(connection, hold, events)
            read += sum(len(event.text.encode()) for event in events)
            progress(read, 2 * manifest.bytes)
    return RestoredArchive(restored, manifest.rows - restored, hold)


def _time_and_size(row: Mapping[str, Any]) -> tuple[int, int]:
    return row["event_time"], row["event_bytes"]


def _hold(store: Store, connection: Connection, manifest: str, times: tuple[int, int]) -> int:
    """The hold that keeps what is restored: the one that an earlier call has placed, or a new one.

    It is about these events alone; their first and last times keep their partitions from being dropped.
    """
    placed = raw_events.hold_of_restored(connection, manifest)
    if placed is not None:
        return placed
    first, last = times
    until = None if last == LAST else instant(last + 1)
    held = HeldThing("*", events_since=instant(first), events_until=until, manifest=manifest)
    return add_hold(store, held, f"restored from {manifest}", None)


def _restorable(folder: FileFolder, manifest: ArchiveManifest) -> Iterator[list[RestoredEvent]]:
    """The events, in transactions. Equal ones are counted: they have one time, and an archive is in order of time."""
    happened: int | None = None
    copies = Counter[tuple[int | None, bytes]]()
    batch, size = list[RestoredEvent](), 0
    for row in _rows(folder, manifest):
        if row["event_time"] != happened:
            happened, copies = row["event_time"], Counter()
        same = (row["created_at"], hashlib.sha256(row["event"]).digest())
        copies[same] += 1
        batch.append(RestoredEvent(row["event"].decode(), row["event_time"], row["created_at"], copies[same]))
        size += row["event_bytes"]
        if size >= _RESTORED_BYTES or len(batch) == RESTORED_AT_ONCE:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def _rows(folder: FileFolder, manifest: ArchiveManifest) -> Iterator[dict[str, Any]]:
    columns = ("event_time", "event", "created_at", "event_bytes")
    for part in manifest.parts:
        for rows in part_rows(folder, part, columns):
            yield from rows
