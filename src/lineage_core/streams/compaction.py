"""Compaction: small parts become large ones, checkpoints are made, and files that are not needed are deleted.

No reader sees it: the records of a stream stay what they are, at their offsets and in their order. Files are written
before anything says that they are there. Then they take the place of others in one transaction, which ends without a
change if those are no longer there. A publisher may be at work meanwhile, as it only adds parts. A compaction that is
killed leaves files that belong to no stream, and that a later one deletes.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import timedelta

from lineage_core import files, statements
from lineage_core.changelog.bins import BinSizes, bins
from lineage_core.declare.streams import all_streams
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.streams import publisher_file
from lineage_core.streams.checkpointing import CheckpointTask, MadeCheckpoint, due_checkpoint, files_of_stream
from lineage_core.streams.failures import FailedStream, StreamFailures, failed_stream, refuse_failed
from lineage_core.streams.lacking import refuse_without_files
from lineage_core.streams.parts import MergedParts, MergeTask
from lineage_core.streams.published_versions import PublishedVersion, version_seen
from lineage_core.streams.store import compacted, stream_files
from lineage_core.streams.store.switches import stream_named
from lineage_core.tasks import HERE, TaskRunner, Work, runner_for

COMPACT = "compact"
"""Name of the lease under which parts are merged and files deleted."""

MOST_BYTES = 1 << 30
"""Of files that a checkpoint is made of. Its rows are held in memory, several times as large as they are compressed."""

GRACE = timedelta(days=1)
"""How long a file stays that belongs to no stream any more: a reader may have its name."""

CompactionTask = MergeTask | CheckpointTask
CompactionResult = MergedParts | MadeCheckpoint | FailedStream


def _write(task: CompactionTask) -> CompactionResult:
    return task.write()


def _failed(task: CompactionTask, error: Exception) -> CompactionResult:
    """A failure is that of the stream of the task alone."""
    return failed_stream(task.stream, error)


COMPACTING = Work(
    _write,
    failed="A Spark task failed; what was compacted before stays",
    what_stays="what was compacted before stays",
    instead=_failed,
)
"""A task that is run again writes the same file."""


@dataclass(frozen=True)
class CompactedStream:
    """What a compaction did to one stream. Bytes are those of its parts.

    checkpoint: offset of the first record that is not in the checkpoint which was made; None if none was.
    """

    stream: str
    parts_before: int
    parts_after: int
    bytes_before: int
    bytes_after: int
    checkpoint: int | None = None


@dataclass(frozen=True)
class CompactionOutcome:
    """What a compaction did."""

    bytes_before: int
    bytes_after: int
    streams: tuple[CompactedStream, ...]
    """Those that it changed. The bytes above are theirs."""
    orphans: int
    """Files that were found to belong to no stream."""
    deleted: int
    """Files that were deleted."""
    elsewhere: tuple[str, ...]
    """Streams that stay as they are, as the database was restored from another cluster and has not published them."""
    too_large: tuple[str, ...]
    """Streams that were to get a checkpoint, and whose rows may not fit into memory."""
    failed: tuple[FailedStream, ...]
    """Those of which something could not be done. What was done to them before stays."""
    seconds: float

    def refuse_failed(self) -> None:
        """Raises an error for the streams that failed, if any did (`failures.refuse_failed`)."""
        refuse_failed(self.failed, "compacted")


def compact(
    store: Store,
    root: str,
    runner: TaskRunner = HERE,
    *,
    names: Sequence[str] = (),
    sizes: BinSizes | None = None,
    few: int = 0,
    most: int = MOST_BYTES,
    grace: timedelta = GRACE,
) -> CompactionOutcome:
    """Compacts the named streams, or all, whether they are on or not.

    The runner is asked when there is something to write. Files of up to `few` bytes are read and written in this
    process. No checkpoint is made of files of more than `most` bytes.

    Raises as `compact_each` does. A stream that fails stops no other: when all are through, TryAgain is raised if that
    helps any of them, NeedsOperator if each of them needs a person.
    """
    outcome = compact_each(store, root, runner, names=names, sizes=sizes, few=few, most=most, grace=grace)
    outcome.refuse_failed()
    return outcome


def compact_each(
    store: Store,
    root: str,
    runner: TaskRunner = HERE,
    *,
    names: Sequence[str] = (),
    sizes: BinSizes | None = None,
    few: int = 0,
    most: int = MOST_BYTES,
    grace: timedelta = GRACE,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> CompactionOutcome:
    """The same, with the streams that failed in what it gives. progress: called with the bytes of the files that are
    merged or in a checkpoint, and of all that are to be, as far as that is known: checkpoints become due last.

    Raises WrongUsage if there is no such stream, LeaseTaken while another compaction is at work, LeaseLost if this one
    was taken for dead, TryAgain if the database or the files cannot be used now, and NeedsOperator if `root` is not
    that of this database (`publisher_file`). What was compacted before an error stays.
    """
    started = time.monotonic()
    wanted = [stream_named(name).name for name in dict.fromkeys(names)] or [stream.name for stream in all_streams()]
    with explained("lineage_jobs"), held_lease(store, COMPACT) as lease, store.connect(autocommit=True) as connection:
        published = compacted.published_streams(connection)
        chosen = [name for name in wanted if published.get(name)]
        # Without a root nothing was published: what is below the URL belongs to somebody else.
        if chosen and publisher_file.refuse_others(connection, root) is None:
            chosen = []
        run = _Compaction(connection, lease, root, runner, few, most, progress)
        run.refuse_without_files(chosen)
        before = run.versions(chosen)
        run.merge(before, sizes or BinSizes())
        checkpoints = run.make_checkpoints(chosen)
        orphans, deleted = run.delete_files(chosen, grace)
        after = run.versions(chosen)
    changed = tuple(
        one
        for name in chosen
        if name in before
        and name in after
        and (one := _change(name, before[name], after[name], checkpoints.get(name))) is not None
    )
    return CompactionOutcome(
        bytes_before=sum(one.bytes_before for one in changed),
        bytes_after=sum(one.bytes_after for one in changed),
        streams=changed,
        orphans=orphans,
        deleted=deleted,
        elsewhere=tuple(name for name in wanted if published.get(name) is False),
        too_large=tuple(run.too_large),
        failed=run.failures.all(),
        seconds=time.monotonic() - started,
    )


class _Compaction:
    """What one holder of the lease does."""

    def __init__(
        self,
        connection: Connection,
        lease: Lease,
        root: str,
        runner: TaskRunner,
        few: int,
        most: int,
        progress: Callable[[int, int], object],
    ) -> None:
        self._connection = connection
        self._lease = lease
        self._root = root
        self._runner = runner
        self._few = few
        self._most = most
        self._progress = progress
        self._done = self._planned = 0
        self.failures = StreamFailures(connection)
        self.too_large: list[str] = []
        """Streams that are due for a checkpoint and get none."""

    def refuse_without_files(self, names: Sequence[str]) -> None:
        """Those of which no file is there have failed."""
        for name in names:
            with self.failures.of(name):
                refuse_without_files(self._connection, self._root, name)

    def versions(self, names: Sequence[str]) -> dict[str, PublishedVersion]:
        """Of each stream that has not failed."""
        seen = dict[str, PublishedVersion]()
        for name in self._whole(names):
            with self.failures.of(name):
                seen[name] = version_seen(self._connection, name)
        return seen

    def merge(self, versions: dict[str, PublishedVersion], sizes: BinSizes) -> None:
        """Merges small parts in the schema that was the latest when the version was read. It is registered by then, so
        who sees a merged part can see its schema.
        """
        tasks = list[CompactionTask]()
        for name, version in versions.items():
            with self.failures.of(name):
                tasks += [
                    MergeTask(self._root, name, version.schemas.latest_id or 0, version.schemas.to_latest(), parts)
                    for parts in bins(version.parts, sizes)
                ]
        for done in self._written(tasks):
            if isinstance(done, MergedParts):
                statements.announce("swap parts")
                with self.failures.of(done.stream):
                    compacted.swap_parts(self._connection, self._lease, done.stream, done.parts, done.into)

    def make_checkpoints(self, names: Sequence[str]) -> dict[str, int]:
        """Offset of the first record that is not in it, of each that was made."""
        made = dict[str, int]()
        due = self._due_checkpoints(names)
        self.too_large += [task.stream for task in due if task.bytes > self._most]
        for done in self._written([task for task in due if task.bytes <= self._most]):
            if isinstance(done, MadeCheckpoint):
                statements.announce("replace checkpoint")
                with self.failures.of(done.stream):
                    compacted.replace_checkpoint(self._connection, self._lease, done.stream, done.old, done.new)
                    made[done.stream] = done.new.file.next_offset
        return made

    def delete_files(self, names: Sequence[str], grace: timedelta) -> tuple[int, int]:
        """How many files were found to belong to no stream, and how many were deleted."""
        orphans = deleted = 0
        for name in self._whole(names):
            with self.failures.of(name):
                there = files_of_stream(FileFolder(self._root), name)
                statements.announce("note orphans")
                orphans += stream_files.note_orphans(self._connection, self._lease, name, there)
                deleted += self._delete(name, set(there), grace)
        return orphans, deleted

    def _delete(self, name: str, there: set[str], grace: timedelta) -> int:
        statements.announce("delete files")
        deletable = stream_files.deletable(self._connection, self._lease, name, grace)
        gone = [path for path in deletable if path in there]
        with files.failures_explained(f"The stream {name} in {FileFolder(self._root)}", "It has all that it needs"):
            for path in gone:
                files.remove_file(FileFolder(self._root).file(path))
        stream_files.forget_deleted(self._connection, self._lease, deletable, grace)
        return len(gone)

    def _due_checkpoints(self, names: Sequence[str]) -> list[CheckpointTask]:
        due = list[CheckpointTask]()
        for name in self._whole(names):
            with self.failures.of(name):
                version = version_seen(self._connection, name)
                task = due_checkpoint(
                    self._root, stream_named(name), version.schemas, version.parts, version.checkpoint
                )
                due += [] if task is None else [task]
        return due

    def _whole(self, names: Sequence[str]) -> list[str]:
        return [name for name in names if name not in self.failures]

    def _written(self, tasks: Sequence[CompactionTask]) -> Iterator[MergedParts | MadeCheckpoint]:
        """Of those that have not failed."""
        if not tasks:
            return
        statements.announce("write files")
        size = sum(task.bytes for task in tasks)
        self._planned += size
        chosen = runner_for(size, self._runner, self._few)
        for task, done in zip(tasks, chosen.results(COMPACTING, tasks), strict=True):
            self._done += task.bytes
            self._progress(self._done, self._planned)
            if isinstance(done, FailedStream):
                self.failures.add(done)
            else:
                yield done


def _change(name: str, before: PublishedVersion, after: PublishedVersion, made: int | None) -> CompactedStream | None:
    """None if nothing became of it. Parts that were published meanwhile are in neither figure."""
    old = {part.path: part.bytes for part in before.parts}
    end = before.parts[-1].end_offset if before.parts else -1
    new = {part.path: part.bytes for part in after.parts if part.end_offset <= end}
    if old == new and made is None:
        return None
    return CompactedStream(name, len(old), len(new), sum(old.values()), sum(new.values()), made)
