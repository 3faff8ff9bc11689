"""The publisher: net changes become records, records parts, and the heads of streams move behind them.

Each stream is published by itself. A part is written before anything says that it is there; the head then moves, if it
is still where it was, in one transaction with the list of parts. A publisher that is killed leaves files that belong to
no stream, and nothing else.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import datetime

from lineage_core import statements
from lineage_core.changelog import write_part
from lineage_core.declare.streams import DeclaredStream
from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.streams import publisher_file
from lineage_core.streams.arrow_records import records_of_lines
from lineage_core.streams.checkpointing import lines_since
from lineage_core.streams.failures import FailedStream, StreamFailures, failed_stream, refuse_failed
from lineage_core.streams.lacking import refuse_without_files
from lineage_core.streams.publisher_file import Publication
from lineage_core.streams.registry import is_latest
from lineage_core.streams.store import changes, heads, moments, schemas
from lineage_core.streams.store.compacted import checkpoint
from lineage_core.streams.store.switches import started_streams, stream_named, undeclared
from lineage_core.tasks import HERE, TaskRunner, Work, runner_for

SETTLING_SECONDS = 5.0
"""How long a publication waits for the transactions that were at work when a stream was started."""

_PAUSE_SECONDS = 0.05


@dataclass(frozen=True)
class PublicationTask:
    """Writes what is new of one stream below a root.

    moment: what all streams of a publication are written as of; None for a moment of its own.
    """

    store: Store
    root: str
    stream: str
    moment: moments.PublicationMoment | None = None


@dataclass(frozen=True)
class PublishedStream:
    """What was published of one stream. The offsets are of its first record, and behind its last one."""

    stream: str
    start_offset: int
    next_offset: int
    parts: int


@dataclass(frozen=True)
class PublicationOutcome:
    """What a publication did."""

    records: int = 0
    parts: int = 0
    streams: tuple[PublishedStream, ...] = ()
    """Those of which there was something to publish."""
    starting: tuple[str, ...] = ()
    """Those that wait for transactions that were at work when they were started, or, of raw events that were restored
    into another cluster, for a normalization."""
    failed: tuple[FailedStream, ...] = ()
    """Those that were not published. What was published of them before stays."""
    seconds: float = 0.0

    def refuse_failed(self) -> None:
        """Raises an error for the streams that failed, if any did (`failures.refuse_failed`)."""
        refuse_failed(self.failed, "published")


def publish(store: Store, root: str, runner: TaskRunner = HERE, *, few: int = 0) -> PublicationOutcome:
    """Publishes what has changed of every stream that is on, in parts below `root`, a path or a URL.

    The runner is asked when there is something to write. Up to `few` changes, of all streams together, are written in
    this process.

    Raises as `publish_each` does. A stream that fails stops no other: when all are through, TryAgain is raised if that
    helps any of them, NeedsOperator if each of them needs a person.
    """
    outcome = publish_each(store, root, runner, few=few)
    outcome.refuse_failed()
    return outcome


def publish_each(
    store: Store,
    root: str,
    runner: TaskRunner = HERE,
    *,
    few: int = 0,
    progress: Callable[[int, int], object] = lambda _done, _total: None,
) -> PublicationOutcome:
    """The same, with the streams that failed in what it gives. progress: called with how many streams are published,
    and of how many.

    Raises LeaseTaken while another publisher is at work, LeaseLost if this one was taken for dead, TryAgain if the
    database or the files cannot be used now, and NeedsOperator if `root` is not that of this database
    (`publisher_file`). What was published of a stream before an error stays.
    """
    started = time.monotonic()
    with (
        explained("lineage_jobs"),
        held_lease(store, heads.PUBLISH) as lease,
        store.connect(autocommit=True) as connection,
    ):
        failures = StreamFailures(connection)
        known = _known_streams(connection, lease, failures)
        waiting = _starting(connection, known, failures)
        ready = [name for name in known if name not in waiting and name not in failures]
        done = list[PublishedStream]()
        with moments.shared_moment(store) as (seeing, moment):
            counted = _with_changes(seeing, ready, few + 1, failures)
            tasks = [PublicationTask(store, root, name, moment) for name in counted]
            chosen = runner_for(sum(counted.values()), runner, few)
            if tasks:
                publication = publisher_file.begin_publication(connection, lease, root)
                for written in chosen.results(PUBLISHING, tasks):
                    if isinstance(written, FailedStream):
                        failures.add(written)
                        continue
                    with failures.of(written.head.stream):
                        done.append(_moved(connection, lease, written, publication))
                        progress(len(done), len(tasks))
                if any(one.parts for one in done):
                    publication.end()
        published = tuple(one for one in done if one.parts)
        whole = [name for name in ready if name not in failures]
        moments.remember(connection, lease, moment, whole, has_records=bool(published))
        changes.forget_published(connection)
    return PublicationOutcome(
        records=sum(one.next_offset - one.start_offset for one in published),
        parts=sum(one.parts for one in published),
        streams=tuple(sorted(published, key=lambda one: one.stream)),
        starting=tuple(sorted(waiting)),
        failed=failures.all(),
        seconds=time.monotonic() - started,
    )


def _known_streams(connection: Connection, lease: Lease, failures: StreamFailures) -> list[str]:
    """The streams that are on and have a head, but those of whose columns this release does not know, or knows other
    ones: it would publish nulls, where the table has values.
    """
    started_now = started_streams(connection)
    unknown = undeclared(started_now)
    for one in started_now:
        with failures.of(one.name):
            if one.name in unknown:
                raise NeedsOperator(
                    f"This release has no stream {one.name}, which is on: `lineage stream stop` turns it off"
                )
            stream = stream_named(one.name)
            if not is_latest(connection, stream):
                raise NeedsOperator(
                    f"The latest schema of {one.name} is not what this release declares. Run `lineage db upgrade`; if a"
                    " newer release has upgraded the store, publish with that one"
                )
            heads.begin(connection, lease, stream, one)
    return [one.name for one in started_now if one.name not in failures]


def write_records(task: PublicationTask) -> heads.WrittenRecords:
    """Writes the parts that lead from the head of a stream to what one snapshot sees. It changes nothing else."""
    stream = stream_named(task.stream)
    folder = FileFolder(task.root)
    with task.store.session("lineage_jobs") as connection:
        refuse_without_files(connection, task.root, stream.name)
        connection.rollback()
        moments.begin(connection, task.moment)
        seen, now = heads.snapshot(connection)
        head = heads.head(connection, stream.name)
        if head is None:
            raise NeedsOperator(f"The head of the stream {stream.name} was removed while it was published")
        if schemas.stream_schemas(connection, stream.name).latest_id != head.schema_id:
            raise TryAgain(f"The schema of the stream {stream.name} has evolved meanwhile; nothing was published of it")
        system_time = task.moment.system_time if task.moment else max(now, head.system_time or now)
        statements.announce("write parts")
        with closing(_lines(connection, stream, head, folder)) as lines:
            parts = tuple(_written(stream, head, folder, lines, system_time))
    return heads.WrittenRecords(head, seen, system_time, parts)


def _failed(task: PublicationTask, error: Exception) -> FailedStream:
    """A failure is that of the stream of the task alone."""
    return failed_stream(task.stream, error)


PUBLISHING = Work[PublicationTask, heads.WrittenRecords | FailedStream](
    write_records,
    failed="A Spark task failed, nothing was published",
    what_stays="nothing was published",
    instead=_failed,
)
"""A task that is run again writes the same files, or files that are not named."""


def _lines(
    connection: Connection, stream: DeclaredStream, head: heads.StreamHead, folder: FileFolder
) -> Generator[changes.RecordLines]:
    """To be closed, also when a part cannot be written: the rest waits in the connection."""
    if head.published is not None:
        return changes.changed_records(connection, stream, head.published)
    parts, migration = heads.parts(connection, stream.name), schemas.stream_schemas(connection, stream.name).to_latest()
    lines = lines_since(stream, folder, parts, migration, checkpoint(connection, stream.name))
    changes.keep_published(connection, stream, lines)
    return changes.differing_records(connection, stream)


def _written(
    stream: DeclaredStream,
    head: heads.StreamHead,
    folder: FileFolder,
    lines: Iterator[changes.RecordLines],
    system_time: datetime,
) -> Iterator[heads.WrittenPart]:
    offset = head.next_offset
    for chunk in lines:
        records, ends = records_of_lines(stream, chunk.text, offset, system_time)
        part = write_part(folder.below(f"{stream.name}/{heads.HISTORY}"), stream.name, head.schema_id, records)
        yield heads.WrittenPart(part, tuple(ends if chunk.ends_commit else ends[:-1]))
        offset = part.end_offset + 1


def _starting(connection: Connection, known: Sequence[str], failures: StreamFailures) -> set[str]:
    """The streams whose tables cannot be read yet: some transaction may have changed them unseen."""
    deadline = time.monotonic() + SETTLING_SECONDS
    waiting = set(known)
    while waiting:
        for name in sorted(waiting):
            with failures.of(name):
                if _is_ready(connection, name):
                    waiting.discard(name)
        waiting = {name for name in waiting if name not in failures}
        if not waiting or time.monotonic() >= deadline:
            break
        time.sleep(_PAUSE_SECONDS)
    return waiting


def _is_ready(connection: Connection, name: str) -> bool:
    head = heads.head(connection, name)
    return head is not None and (head.published is not None or heads.is_settled(connection, stream_named(name), head))


def _with_changes(seeing: Connection, names: Sequence[str], most: int, failures: StreamFailures) -> dict[str, int]:
    """How many changes wait of each stream of which any do; of each captured table `most` are counted.

    What a stream begins with is not counted, and stands for as many.
    """
    counted = dict[str, int]()
    for name in names:
        with failures.of(name), seeing.transaction():
            head = heads.head(seeing, name)
            if head is not None:
                stream = stream_named(name)
                counted[name] = (
                    most if head.published is None else changes.waiting_changes(seeing, stream, head.published, most)
                )
    return {name: waiting for name, waiting in counted.items() if waiting}


def _moved(
    connection: Connection, lease: Lease, written: heads.WrittenRecords, publication: Publication
) -> PublishedStream:
    heads.move(connection, lease, written, publication.note)
    return PublishedStream(written.head.stream, written.head.next_offset, written.next_offset, len(written.parts))
