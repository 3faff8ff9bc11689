"""Which database publishes below a root, and how far its streams were: a file of the root.

It is compared before anything is written or deleted. Two databases would delete each other's files. One that was
restored to an earlier time would give other records the offsets of those that readers have. The database knows the id
of its root, too: below another one there are not the files that it says there are (decision 45).
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any
from uuid import uuid4

from lineage_core import files, statements
from lineage_core.declare.streams import all_streams
from lineage_core.errors import NeedsOperator, TryAgain
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import DatabaseIdentity, Store, this_database
from lineage_core.streams.lacking import lacking_files
from lineage_core.streams.store import heads, stream_files
from lineage_core.streams.store.stream_files import KnownRoot

NAME = "publisher.json"


@dataclass(frozen=True)
class LastMove:
    """The head that was about to move when the file was written: of which stream, by which publication, from where."""

    stream: str
    publication: int
    start_offset: int
    version: int
    """Of the head's row, before it moved."""


@dataclass(frozen=True)
class PublisherFile:
    """What the file holds.

    root: the id of the root, which the database has, too. next_offsets: of each stream that has records; none from
    there on was given to one. last: the move of which the file alone does not say whether it came to be.
    """

    root: str
    database: DatabaseIdentity
    next_offsets: dict[str, int]
    last: LastMove | None


@dataclass(frozen=True)
class LostRecords:
    """Records of a stream that were published, and that the database does not have: from where, and up to where."""

    stream: str
    next_offset: int
    published_upto: int

    def __str__(self) -> str:
        return f"{self.stream} is at offset {self.next_offset}, and was at {self.published_upto}"


class Publication:
    """What a publication notes in the file: before each head moves, how far it goes."""

    def __init__(self, connection: Connection, root: str, found: PublisherFile, number: int) -> None:
        self._connection = connection
        self._root = root
        self._found = found
        self._number = number

    def note(self, moved: heads.StreamHead) -> None:
        """In the transaction that moves a head, as the last thing before its end. If it is killed here or behind, the
        file says more than there is, and which head may not have moved.
        """
        self._write(LastMove(moved.stream, self._number, moved.next_offset, moved.version))

    def end(self) -> None:
        """When all heads have moved that are to."""
        self._write(None)

    def _write(self, last: LastMove | None) -> None:
        next_offsets = heads.next_offsets(self._connection)
        statements.announce("note what is published")
        _write(self._root, PublisherFile(self._found.root, self._found.database, next_offsets, last))


def begin_publication(connection: Connection, lease: Lease, root: str) -> Publication:
    """Makes sure that this database publishes below this root: it does from now on, if it has no root, and no one else
    publishes there. Raises as `refuse_others` does.
    """
    found = _claimed(connection, root)
    settled = PublisherFile(found.root, found.database, heads.next_offsets(connection), None)
    if settled.next_offsets != found.next_offsets:
        # Before the number of the publication that was killed there is forgotten.
        _write(root, settled)
    return Publication(
        connection, root, found, stream_files.begin_publication(connection, lease, str(FileFolder(root)))
    )


def refuse_others(connection: Connection, root: str) -> PublisherFile | None:
    """Makes sure that no one else publishes below a root, that it is the one which this database knows, and that the
    database is not of an earlier time. Gives what the file says; None if the streams of this database have no root yet.

    Raises NeedsOperator, which says how to heal it; TryAgain if the files cannot be used now.
    """
    found, refusal = _looked_at(connection, root)
    while refusal is not None:
        before = found, refusal
        found, refusal = _looked_at(connection, root)
        if (found, refusal) == before:
            raise NeedsOperator(refusal)
        # A publication has gone on between the looks at the file and at the database, or within one of them.
    return found


def _looked_at(connection: Connection, root: str) -> tuple[PublisherFile | None, str | None]:
    """What the file says, and why not to write or delete there; None if there is no reason."""
    found = _read(root)
    return found, _refusal(connection, root, found)


def refuse_other_root(connection: Connection, root: str) -> None:
    """For who only reads: makes sure that the root is the one which this database knows, if it knows one.

    Raises NeedsOperator if it is not, TryAgain if the files cannot be used now.
    """
    known = stream_files.known_root(connection)
    refusal = None if known is None else _other_root(known, root, _read(root))
    if refusal is not None:
        raise NeedsOperator(refusal)


def faults_of_root(connection: Connection, root: str) -> list[str]:
    """What `refuse_others` would say, and the streams that lack files. Nothing if no stream was ever published."""
    if stream_files.known_root(connection) is None and not heads.next_offsets(connection):
        return []
    try:
        refuse_others(connection, root)
        return [
            f"The stream {stream} lacks {len(gone)} files below {FileFolder(root)}, such as {gone[0]}"
            for stream, gone in _lacking(connection, root).items()
        ]
    except (NeedsOperator, TryAgain) as error:
        return [str(error)]


def adopt(store: Store, root: str, *, is_incomplete: bool = False) -> list[LostRecords]:
    """Makes a root that of this database, whoever published there before; what was published there, and it does not
    have. A file that cannot be read is written anew.

    is_incomplete: also if files are missing that the streams of this database consist of. Raises NeedsOperator if so
    otherwise, LeaseTaken while a publisher of this database is at work, and TryAgain if the database or the files
    cannot be used now.
    """
    with (
        explained("lineage_jobs"),
        held_lease(store, heads.PUBLISH) as lease,
        store.connect(autocommit=True) as connection,
    ):
        here, known, found = this_database(connection), stream_files.known_root(connection), _parsed(_content(root))
        gone = _lacking(connection, root)
        if gone and not is_incomplete:
            raise NeedsOperator(_incomplete(root, gone))
        next_offsets = heads.next_offsets(connection)
        is_known = found is not None and known is not None and (found.root, found.database) == (known.root_id, here)
        lost = _lost(connection, found, known if is_known else None, next_offsets) if found else []
        root_id = found.root if found is not None and is_known else str(uuid4())
        _write(root, PublisherFile(root_id, here, next_offsets, None))
        stream_files.set_root(connection, lease, root_id, str(FileFolder(root)))
    return lost


def _claimed(connection: Connection, root: str) -> PublisherFile:
    """What is written there. A file of this database stays as it is: it was killed before it knew its root."""
    found = refuse_others(connection, root)
    if found is not None and stream_files.known_root(connection) is not None:
        return found
    wanted = found or PublisherFile(str(uuid4()), this_database(connection), {}, None)
    stream_files.claim(
        connection, wanted.root, str(FileFolder(root)), lambda: found is not None or _written_first(root, wanted)
    )
    return _claimed(connection, root)


def _refusal(connection: Connection, root: str, found: PublisherFile | None) -> str | None:
    here, known, next_offsets = (
        this_database(connection),
        stream_files.known_root(connection),
        heads.next_offsets(connection),
    )
    if found is not None and found.database != here:
        return (
            f"Streams below {FileFolder(root)} are published by the database {found.database.name}, and this is another"
            f" one, {here.name}, maybe in another cluster: nothing was changed. Give this one a LINEAGE_STREAMS_URL of"
            " its own; if it has taken the place of that one, run `lineage stream adopt`"
        )
    lost = _lost(connection, found, known, next_offsets) if found else []
    other = _other_root(known, root, found) if known else _unknown_root(root) if next_offsets else None
    if other is not None or lost:
        return other or (
            f"Below {FileFolder(root)} more was published than this database has, which was restored to an earlier"
            f" time: {'; '.join(map(str, lost))}. Nothing was changed. Restore the files of that time, too, or run"
            " `lineage stream adopt`: readers of these streams then have to begin anew"
        )
    return _refusal_of_older(connection, root, found, next_offsets)


def _refusal_of_older(
    connection: Connection, root: str, found: PublisherFile | None, next_offsets: Mapping[str, int]
) -> str | None:
    """Of a copy of the root that others have gone on without: its file is behind the database, and files are missing.

    A file that is behind is no fault by itself: a publisher that was taken for dead may have written it.
    """
    if found is None or all(found.next_offsets.get(name, 0) >= offset for name, offset in next_offsets.items()):
        return None
    gone = _lacking(connection, root)
    return _incomplete(root, gone) if gone else None


def _other_root(known: KnownRoot, root: str, found: PublisherFile | None) -> str | None:
    if found is not None and found.root == known.root_id:
        return None
    what = f"has no {NAME}" if found is None else "is another root"
    return (
        f"{FileFolder(root)} {what}: the streams of this database were last published below {known.url}. Nothing was"
        " changed. Set LINEAGE_STREAMS_URL as it was; if the files were moved, copy all of them, and"
        f" {NAME} too; if this is the root from now on, run `lineage stream adopt`, which looks whether the files are"
        " there"
    )


def _unknown_root(root: str) -> str:
    return (
        f"This database has published streams, and does not know below which root: nothing was changed. If it is"
        f" {FileFolder(root)}, run `lineage stream adopt`, which looks whether the files are there"
    )


def _incomplete(root: str, gone: Mapping[str, Sequence[str]]) -> str:
    each = "; ".join(f"{stream} lacks {len(paths)}, such as {paths[0]}" for stream, paths in gone.items())
    return (
        f"Files that the streams of this database consist of are not below {FileFolder(root)}: {each}. Nothing was"
        " changed. Copy them there, or set LINEAGE_STREAMS_URL to where they are; if they are lost, `lineage stream"
        " adopt --incomplete` lets the other streams go on"
    )


def _lacking(connection: Connection, root: str) -> dict[str, list[str]]:
    """By stream, the files that are not there, of those of which any is not."""
    found = {stream.name: lacking_files(connection, root, stream.name) for stream in all_streams()}
    return {stream: gone for stream, gone in found.items() if gone}


def _lost(
    connection: Connection, found: PublisherFile, known: KnownRoot | None, next_offsets: Mapping[str, int]
) -> list[LostRecords]:
    return [
        LostRecords(stream, next_offsets.get(stream, 0), published_upto)
        for stream, published_upto in found.next_offsets.items()
        if next_offsets.get(stream, 0) < published_upto and not _never_moved(connection, stream, found.last, known)
    ]


def _never_moved(connection: Connection, stream: str, last: LastMove | None, known: KnownRoot | None) -> bool:
    """Whether the publication that was about to move the head of a stream was killed before it did. The database knows
    of no later one, as one that was restored to before it does not; and the row of the head is still the one that it
    was, as one that was restored by a dump is not.
    """
    if last is None or known is None or last.stream != stream or last.publication != known.publication:
        return False
    head = heads.head(connection, stream)
    return head is not None and (head.next_offset, head.version) == (last.start_offset, last.version)


def _url(root: str) -> str:
    return FileFolder(root).file(NAME)


def _read(root: str) -> PublisherFile | None:
    """None if it is not there."""
    data = _content(root)
    found = _parsed(data)
    if data is not None and found is None:
        raise files.damaged(_url(root), "it is not what was written", "`lineage stream adopt` writes it anew")
    return found


def _content(root: str) -> bytes | None:
    with files.failures_explained(f"The streams in {FileFolder(root)}", "Nothing was changed"):
        return files.content(_url(root))


def _parsed(data: bytes | None) -> PublisherFile | None:
    """None if that is not what is in such a file."""
    try:
        found: dict[str, Any] = json.loads(data or b"")
        next_offsets = {str(stream): int(offset) for stream, offset in found["next_offsets"].items()}
        last = None if found["last"] is None else LastMove(**found["last"])
        return PublisherFile(str(found["root"]), DatabaseIdentity(**found["database"]), next_offsets, last)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _written_first(root: str, wanted: PublisherFile) -> bool:
    """False if somebody else was the first."""
    with files.failures_explained(f"The streams in {FileFolder(root)}", "Nothing was changed"):
        return files.put_if_absent(_url(root), _bytes(wanted))


def _write(root: str, wanted: PublisherFile) -> None:
    with files.failures_explained(f"The streams in {FileFolder(root)}", "What was published stays"):
        files.replace(_url(root), _bytes(wanted))


def _bytes(wanted: PublisherFile) -> bytes:
    return json.dumps(asdict(wanted), indent=1).encode()
