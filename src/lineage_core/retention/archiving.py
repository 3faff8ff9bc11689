"""Raw events leave the store by way of an archive: written, read back, compared, and only then deleted.

Each set of an archive has the events of one month, in a folder `<as of>/<month>.<number>`. Its manifest is written when
all parts are. So a set without one is written again. One with a manifest is compared, and what is still there deleted.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from lineage_core import statements
from lineage_core.declare.database_names import JOBS
from lineage_core.errors import NeedsOperator
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.retention.archive_manifest import ArchiveManifest, ArchivePart, archive_cutoffs
from lineage_core.retention.event_archive import (
    folders_in,
    forget_unfinished,
    is_finished,
    manifest_name,
    manifest_of,
    part_rows,
    refuse_damaged,
    refuse_miscounted,
    refuse_mistimed,
    write_manifest,
    write_part,
)
from lineage_core.retention.policies import Cutoff
from lineage_core.retention.store import raw_events
from lineage_core.retention.store.raw_events import ArrivalPlace, ChosenEvents, Deleting, PartitionShare
from lineage_core.tasks import HERE, TaskRunner, Work

PART_BYTES = 64 << 20
"""Text of events in one part."""

DELETED_AT_ONCE = 1_000
"""Raw events that one transaction deletes."""

AT_ONCE = 64
"""Parts that are written before what they have is deleted: a killed run writes so many again, not all."""

_PLACE = ("event_time", "arrived_xid", "arrival_seq")


@dataclass(frozen=True)
class ArchiveTask:
    """To write one part: of what, and into which folder."""

    store: Store
    folder: FileFolder = field(repr=False)
    number: int
    chosen: ChosenEvents


@dataclass(frozen=True)
class ComparisonTask:
    """To read one part back, and compare it with its manifest and with the store."""

    store: Store
    folder: FileFolder = field(repr=False)
    part: ArchivePart


@dataclass(frozen=True)
class ComparedPart:
    """What of a part is still in the store: in which partitions."""

    shares: Mapping[str, PartitionShare]


@dataclass(frozen=True)
class ArchivedEvents:
    """What an archiving did. `protected`: raw events that were archived, and stay because something keeps them now."""

    rows: int
    bytes: int
    deleted: int
    protected: int
    dropped_partitions: tuple[str, ...]
    manifests: tuple[str, ...]

    def __add__(self, other: ArchivedEvents) -> ArchivedEvents:
        return ArchivedEvents(
            self.rows + other.rows,
            self.bytes + other.bytes,
            self.deleted + other.deleted,
            self.protected + other.protected,
            self.dropped_partitions + other.dropped_partitions,
            self.manifests + other.manifests,
        )


NOTHING = ArchivedEvents(0, 0, 0, 0, (), ())


def archive_expired(
    store: Store,
    url: str,
    cutoffs: Iterable[Cutoff],
    as_of: datetime,
    runner: TaskRunner = HERE,
    *,
    part_bytes: int = PART_BYTES,
    plan: int | None = None,
    deleting: Deleting = raw_events.unnoted,
) -> ArchivedEvents:
    """Archives the raw events that the cut-offs let go below the URL, then deletes them. The same call again goes on
    where this one ended, and finds nothing to do once all is done.

    Raises NeedsOperator, of an archive that is damaged or another one, before anything that it has is deleted; TryAgain
    if files or the database cannot be used now, or another call archives raw events of the same store.

    plan: the number of the plan that is carried out; only what it has goes. deleting: is called within each transaction
    that deletes.

    What earlier applications of this store have begun below the URL and never finished is removed first: it takes the
    room that is needed now, and nothing of it was deleted from the store.
    """
    chosen = list(cutoffs)
    archive = FileFolder(url)
    archiving = _ArchiveRun(store, archive.below(_folder_name(as_of)), chosen, as_of, runner, plan, deleting)
    with raw_events.only_archiver(store) as connection:
        _forget_unfinished(archive, raw_events.earlier_applications(connection, as_of))
        return archiving.finish_begun() + archiving.archive(part_bytes)


def _folder_name(as_of: datetime) -> str:
    """Of all that an application archives."""
    return as_of.astimezone(UTC).strftime("%Y-%m-%dT%H%M%S.%fZ")


def _forget_unfinished(archive: FileFolder, earlier: Iterable[datetime]) -> None:
    """Removes the sets without manifest of earlier applications. Those of another store stay: it may be at work."""
    theirs = {*map(_folder_name, earlier)}
    for application in (archive.below(name) for name in folders_in(archive) if name in theirs):
        sets = [application.below(name) for name in folders_in(application)]
        unfinished = [one for one in sets if not is_finished(one)]
        for folder in unfinished if len(unfinished) < len(sets) else [application]:
            forget_unfinished(folder)


class _ArchiveRun:
    """One call of `archive_expired`."""

    def __init__(
        self,
        store: Store,
        archive: FileFolder,
        cutoffs: Sequence[Cutoff],
        as_of: datetime,
        runner: TaskRunner,
        plan: int | None,
        deleting: Deleting,
    ) -> None:
        self._store = store
        self._archive = archive
        self._cutoffs = cutoffs
        self._as_of = as_of
        self._runner = runner
        self._plan = plan
        self._deleting = deleting
        self._numbers = Counter[str]()

    def finish_begun(self) -> ArchivedEvents:
        """Deletes what earlier calls have archived, and forgets what they have begun to write."""
        done = NOTHING
        for name in folders_in(self._archive):
            folder = self._archive.below(name)
            manifest = manifest_of(folder)
            if manifest is None:
                forget_unfinished(folder)
                continue
            self._refuse_other(folder, manifest)
            self._numbers[manifest.month] = max(self._numbers[manifest.month], int(name.rpartition(".")[2]))
            done += self._finish(folder, manifest)
        return done

    def archive(self, part_bytes: int) -> ArchivedEvents:
        with self._store.session(JOBS) as connection:
            parts = raw_events.chosen_parts(connection, self._cutoffs, part_bytes, self._plan)
        done = NOTHING
        for some in _whole_months(parts):
            for folder, manifest in self._write(some):
                done += self._finish(folder, manifest)
        return done

    def _write(self, parts: Sequence[ChosenEvents]) -> list[tuple[FileFolder, ArchiveManifest]]:
        """Parts, and then the manifest of each month."""
        for month in dict.fromkeys(part.month for part in parts):
            self._numbers[month] += 1
        tasks = [
            ArchiveTask(self._store, self._archive.below(f"{part.month}.{self._numbers[part.month]}"), number, part)
            for number, part in enumerate(parts, 1)
        ]
        written = defaultdict[tuple[str, FileFolder], list[ArchivePart]](list)
        for task, part in zip(tasks, list(self._runner.results(_WRITING, tasks)), strict=True):
            if part is not None:
                written[task.chosen.month, task.folder].append(part)
        return [(folder, self._manifest(month, folder, tuple(made))) for (month, folder), made in written.items()]

    def _manifest(self, month: str, folder: FileFolder, parts: tuple[ArchivePart, ...]) -> ArchiveManifest:
        manifest = ArchiveManifest.of(month, self._as_of, self._cutoffs, parts)
        statements.announce("write manifest")
        write_manifest(folder, manifest)
        return manifest

    def _finish(self, folder: FileFolder, manifest: ArchiveManifest) -> ArchivedEvents:
        """Compares all, and only then deletes."""
        tasks = [ComparisonTask(self._store, folder, part) for part in manifest.parts]
        compared = list(self._runner.results(_COMPARISON, tasks))
        shares = _added(share for part in compared for share in part.shares.items())
        stored = sum(share.rows for share in shares.values())
        with self._store.session(JOBS, autocommit=True) as connection:
            dropped = [
                name
                for name, share in shares.items()
                if raw_events.drop_partition(connection, name, share, self._deleting)
            ]
            deleted = sum(shares[name].rows for name in dropped)
            for part, was in zip(manifest.parts, compared, strict=True):
                if was.shares.keys() - {*dropped}:
                    deleted += _delete(connection, folder, part, self._deleting)
        return ArchivedEvents(
            manifest.rows, manifest.bytes, deleted, stored - deleted, tuple(dropped), (manifest_name(folder),)
        )

    def _refuse_other(self, folder: FileFolder, manifest: ArchiveManifest) -> None:
        if (manifest.as_of, manifest.cutoffs) != (self._as_of, archive_cutoffs(self._cutoffs)):
            raise NeedsOperator(
                f"{folder} has the manifest of another archive, with other cut-offs; nothing of it was deleted."
                " Plan anew, for a time of its own, or name another folder"
            )


def _whole_months(parts: Sequence[ChosenEvents]) -> Iterator[list[ChosenEvents]]:
    """Parts to be written together: a month is not divided, as its partition is dropped as a whole."""
    together = list[ChosenEvents]()
    for part in parts:
        if len(together) >= AT_ONCE and together[-1].month != part.month:
            yield together
            together = []
        together.append(part)
    if together:
        yield together


def _written(task: ArchiveTask) -> ArchivePart | None:
    """None if there is nothing to write any more. Each attempt writes a file of its own, and one of them counts."""
    with task.store.session(JOBS, application_name="lineage archives") as connection:
        statements.announce("write part")
        return write_part(task.folder, task.number, raw_events.chosen_events(connection, task.chosen))


def _compared(task: ComparisonTask) -> ComparedPart:
    """Raises NeedsOperator if a part is not what its manifest says, or not what the store has."""
    statements.announce("compare part")
    refuse_damaged(task.folder, task.part)
    rows = size = 0
    bounds: tuple[int, ...] = ()
    shares: dict[str, PartitionShare] = {}
    with task.store.session(JOBS, autocommit=True) as connection:
        for group in part_rows(task.folder, task.part):
            digests = {_place(row)[1:]: _digest(row) for row in group}
            with connection.transaction():
                stored = raw_events.stored_events(connection, [_place(row) for row in group])
            for event in stored:
                if event.digest != digests[event.arrived_xid, event.arrival_seq]:
                    raise NeedsOperator(
                        f"{task.folder.file(task.part.path)} has another event than the store under the arrival number"
                        f" {event.arrived_xid}, {event.arrival_seq}; nothing of it was deleted. It is the archive of"
                        " another store: name another folder"
                    )
            shares = _added([*shares.items(), *raw_events.shares(stored).items()])
            rows += len(group)
            size += sum(row["event_bytes"] for row in group)
            times = (*bounds, *(row["event_time"] for row in group))
            bounds = (min(times), max(times))
    refuse_miscounted(task.folder, task.part, rows, size)
    refuse_mistimed(task.folder, task.part, bounds)
    return ComparedPart(shares)


_FAILED = "A part of the event archive failed; nothing that is not archived was deleted"
_WHAT_STAYS = "nothing that is not archived was deleted"
_WRITING = Work(_written, failed=_FAILED, what_stays=_WHAT_STAYS)
_COMPARISON = Work(_compared, failed=_FAILED, what_stays=_WHAT_STAYS)


def _delete(connection: Connection, folder: FileFolder, part: ArchivePart, deleting: Deleting) -> int:
    """In the order of the archive, which is that of time."""
    return sum(
        raw_events.delete_archived(connection, places, deleting)
        for group in part_rows(folder, part, _PLACE)
        for places in _chunks([_place(row) for row in group], DELETED_AT_ONCE)
    )


def _place(row: Mapping[str, Any]) -> ArrivalPlace:
    return row["event_time"], row["arrived_xid"], row["arrival_seq"]


def _digest(row: Mapping[str, Any]) -> bytes:
    """As `stored` in retention/sql/raw_events.sql computes it of what is stored."""
    created_at = "-" if row["created_at"] is None else row["created_at"]
    columns = (row["event_time"], created_at, "ft"[row["is_ahead"]], row["arrived_xid"], row["arrival_seq"], "")
    digest = hashlib.sha256("\n".join(map(str, columns)).encode())
    digest.update(row["event"])
    return digest.digest()


def _added(shares: Iterable[tuple[str, PartitionShare]]) -> dict[str, PartitionShare]:
    total: defaultdict[str, PartitionShare] = defaultdict(PartitionShare)
    for name, share in shares:
        total[name] += share
    return dict(total)


def _chunks(items: Sequence[Any], size: int) -> Iterator[Sequence[Any]]:
    return (items[first : first + size] for first in range(0, len(items), size))
