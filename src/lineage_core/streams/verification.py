"""Whether a stream is whole: its files, its records, and its table beside them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lineage_core.changelog import STANDARD
from lineage_core.declare.streams import DeclaredStream
from lineage_core.errors import BrokenStream, NeedsOperator
from lineage_core.files import FileFolder
from lineage_core.postgres.store import Store
from lineage_core.streams.checkpointing import files_of_stream, lines_since, state_after
from lineage_core.streams.parts import BytesRead, ReadBytes, ReadProgress, published_tables, unseen
from lineage_core.streams.published_versions import PublishedVersion, version_below
from lineage_core.streams.states import bytes_of_replay, last_state, state_at
from lineage_core.streams.store import changes, heads, stream_files
from lineage_core.streams.store.compacted import checkpoint
from lineage_core.streams.store.schemas import stream_schemas
from lineage_core.streams.store.switches import started_streams, stream_named


@dataclass(frozen=True)
class StreamVerification:
    """What was looked at, what is wrong with it, and the files that belong to no stream.

    is_compared: whether it was compared with its table. It is not if it is off, if its next publication begins with
    all that differs, or if a fault was found before.
    """

    records: int
    parts: int
    faults: list[str]
    orphans: list[str]
    is_compared: bool


def verify(
    store: Store, root: str, name: str, *, from_start: bool = False, progress: ReadProgress = unseen
) -> StreamVerification:
    """Whether every file is there as it was written, whether records keep the rules, and whether a stream that is on,
    with what waits to be published, is what its table has.

    from_start: applies all records, and compares the checkpoint with what they give; if not, those behind the
    checkpoint are applied.
    """
    stream = stream_named(name)
    folder = FileFolder(root)
    version = version_below(store, root, stream.name)
    was_read = ReadBytes(progress, _bytes_of_verification(version, from_start))
    faults = list(_faults_of_offsets(version)) or list(
        _faults_of_records(stream, folder, version, from_start, was_read)
    )
    differences = None if faults else _differences(store, folder, stream, was_read)
    return StreamVerification(
        records=sum(part.end_offset - part.start_offset + 1 for part in version.parts),
        parts=len(version.parts),
        faults=[*faults, *(differences or ())],
        orphans=_orphans(store, folder, stream.name),
        is_compared=differences is not None,
    )


def _orphans(store: Store, root: FileFolder, stream: str) -> list[str]:
    """Files in the folders of a stream that it does not have, and that compaction has not seen yet."""
    there = files_of_stream(root, stream)
    with store.session("lineage_reader") as connection:
        known = stream_files.known_files(connection, stream)
    return sorted(path.rpartition("/")[2] for path in there if path not in known)


def _bytes_of_verification(version: PublishedVersion, from_start: bool) -> int:
    """Of the files that are read, each as often as it is: the state is made for itself, and for the comparison."""
    since = version.checkpoint
    whole = sum(part.bytes for part in version.parts)
    read = 2 * bytes_of_replay(since, version.parts)
    if since is None:
        return read
    before = sum(part.bytes for part in version.parts if part.end_offset < since.next_offset)
    return read + (whole + since.bytes if from_start else before)


def _faults_of_offsets(version: PublishedVersion) -> Iterator[str]:
    """The first fault: what comes behind it may only follow from it."""
    head, found = version.head, version.parts
    ends = [-1, *(part.end_offset for part in found)]
    for part, end in zip(found, ends, strict=False):
        if part.start_offset != end + 1:
            yield f"{part.path} begins with offset {part.start_offset}, and {end + 1} is the next"
            return
    if head is not None and head.next_offset != ends[-1] + 1:
        yield f"the head is at offset {head.next_offset}, and the last part ends with {ends[-1]}"


def _faults_of_records(
    stream: DeclaredStream, root: FileFolder, version: PublishedVersion, from_start: bool, was_read: BytesRead
) -> Iterator[str]:
    """The first fault. Each file is read, also where its records are not applied."""
    since, migration = version.checkpoint, version.schemas.to_latest()
    before = [part for part in version.parts if since is not None and part.end_offset < since.next_offset]
    try:
        if from_start and since is not None:
            state = state_at(stream, root, replace(version, checkpoint=None), since.next_offset - 1, was_read)
            if not STANDARD.has_same_rows(state, state_after(stream, root, (), migration, since, was_read)):
                yield f"{since.path} is not what the records below offset {since.next_offset} give"
                return
        else:
            for _ in published_tables(stream.name, root, before, migration, was_read):
                pass
        last_state(stream, root, version, was_read)
    except (NeedsOperator, BrokenStream) as error:
        yield str(error)


def _differences(store: Store, root: FileFolder, stream: DeclaredStream, was_read: BytesRead) -> list[str] | None:
    """In one transaction, so that head, changes and table are of one moment. None if there is nothing to compare."""
    with store.session("lineage_reader") as connection:
        connection.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        head = heads.head(connection, stream.name)
        started = {one.name: one.started_xid for one in started_streams(connection)}
        schemas = stream_schemas(connection, stream.name)
        if head is None or head.published is None or started.get(stream.name) != head.started_xid:
            return None
        if head.schema_id != schemas.latest_id:
            return None  # the next publication begins with all that differs
        since = checkpoint(connection, stream.name)
        parts = heads.parts(connection, stream.name)
        lines = lines_since(stream, root, parts, schemas.to_latest(), since, was_read)
        changes.keep_published(connection, stream, lines)
        found = changes.stream_differences(connection, stream, head.published)
    missing = [f"{found.only_in_table} rows of the table are not in the stream"] if found.only_in_table else []
    if stream.is_log or not found.only_in_stream:
        return missing
    return [*missing, f"{found.only_in_stream} rows of the stream are not in the table"]
