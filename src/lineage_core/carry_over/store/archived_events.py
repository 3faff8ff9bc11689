"""Raw events that retention has archived and deleted, and that the tables still follow from.

The new store takes them until it is normalized, and lets them go again, as the other one has.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from psycopg import sql

from lineage_core.carry_over.store.events import NEEDED
from lineage_core.files import FileFolder
from lineage_core.openlineage.instants import instant
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import composed, every_value, execute, one_value
from lineage_core.retention.archive_manifest import ArchivePart
from lineage_core.retention.archived_sets import ArchivedSet
from lineage_core.retention.event_archive import part_rows, refuse_damaged, refuse_miscounted, refuse_mistimed

_COLUMNS = ("event_time", "event", "created_at", "event_bytes")


@dataclass(frozen=True)
class _Batch:
    events: list[str]
    event_times: list[datetime]
    created_ats: list[datetime | None]

    def at(self, places: Sequence[int]) -> _Batch:
        return _Batch(
            [self.events[place] for place in places],
            [self.event_times[place] for place in places],
            [self.created_ats[place] for place in places],
        )


def refuse_unreadable(archived: Sequence[ArchivedSet]) -> None:
    """Raises NeedsOperator for a file that is missing, or is not what was written."""
    for one in archived:
        for part in one.manifest.parts:
            refuse_damaged(one.folder, part)


def take(reading: Connection, new: Store, archived: Sequence[ArchivedSet], events: str) -> int:
    """Takes the needed events of them, or else all others; how many. What was taken before is not taken again.

    reading: of the other store, whose ledger says which are needed.
    """
    return sum(_take_part(reading, new, one.folder, part, events) for one in archived for part in one.manifest.parts)


def leave(new: Store) -> int:
    """Lets all of them go; how many."""
    with new.connect() as writing:
        return execute(writing, "carry_over/rebuild/leave_archived")


def _take_part(reading: Connection, new: Store, folder: FileFolder, part: ArchivePart, events: str) -> int:
    """In one transaction, with the note that it is done."""
    noted = {"sha256": part.sha256, "events": events}
    with new.connect() as writing:
        if one_value(writing, bool, "carry_over/rebuild/has_archive_part", noted):
            return 0
        taken = rows = size = 0
        times = list[int]()
        for group in part_rows(folder, part, _COLUMNS):
            rows += len(group)
            size += sum(row["event_bytes"] for row in group)
            found = [*times, *(row["event_time"] for row in group)]
            times = [min(found), max(found)]
            batch = _Batch(
                [row["event"].decode() for row in group],
                [instant(row["event_time"]) for row in group],
                [None if row["created_at"] is None else instant(row["created_at"]) for row in group],
            )
            chosen = batch.at(list(_places(reading, batch, events)))
            if chosen.events:
                taken += execute(writing, "carry_over/rebuild/take_archived", vars(chosen))
        refuse_miscounted(folder, part, rows, size)
        refuse_mistimed(folder, part, times)
        execute(writing, "carry_over/rebuild/note_archive_part", noted)
        return taken


def _places(reading: Connection, batch: _Batch, events: str) -> Iterator[int]:
    """Of the events that are wanted, from 0."""
    needed = {place - 1 for place in every_value(reading, int, _needed(), vars(batch))}
    for place in range(len(batch.events)):
        if (place in needed) == (events == NEEDED):
            yield place


def _needed() -> sql.Composed:
    return composed("carry_over/rebuild/needed_events", chosen=composed(f"carry_over/chosen/{NEEDED}"))
