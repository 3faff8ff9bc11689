"""Which database publishes below a root, and how far its streams were: a file of the root.

It is compared before anything is written or deleted. Two databases would delete each other's files. One that was
restored to an earlier time would give other records the offsets of those that readers have (decision 45).
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import Any

from lineage_core import files
from lineage_core.errors import NeedsOperator
from lineage_core.files import FileFolder
from lineage_core.postgres.connection import Connection, connect
from lineage_core.postgres.failures import explained
from lineage_core.postgres.leases import held_lease
from lineage_core.postgres.this_database import DatabaseIdentity, this_database
from lineage_core.streams.store import heads

NAME = "publisher.json"


@dataclass(frozen=True)
class PublisherFile:
    """What the file holds: the database, and the next offset of each of its streams that has records."""

    database: DatabaseIdentity
    next_offsets: dict[str, int]


@dataclass(frozen=True)
class LostRecords:
    """Records of a stream that were published, and that the database does not have: from where, and up to where."""

    stream: str
    next_offset: int
    published_upto: int

    def __str__(self) -> str:
        return f"{self.stream} is at offset {self.next_offset}, and was at {self.published_upto}"


def refuse_others(connection: Connection, root: str) -> None:
    """Makes sure that this database publishes below a root: it does from now on, if none did.

    Raises NeedsOperator if another database does, or this one did at a later time than it has now; TryAgain if the
    files cannot be used now.
    """
    here = this_database(connection)
    # The file before the heads: a publication beside a compaction moves the heads first.
    found = _read(root) or _claimed(root, PublisherFile(here, {}))
    if found.database != here:
        raise NeedsOperator(
            f"Streams below {FileFolder(root)} are published by the database {found.database.name}, and this is another"
            f" one, {here.name}, maybe in another cluster: nothing was changed. Give this one a LINEAGE_STREAMS_URL of"
            " its own; if it has taken the place of that one, run `lineage stream adopt`"
        )
    lost = _lost(found, heads.next_offsets(connection))
    if lost:
        raise NeedsOperator(
            f"Below {FileFolder(root)} more was published than this database has, which was restored to an earlier"
            f" time: {'; '.join(map(str, lost))}. Nothing was changed. Restore the files of that time, too, or run"
            " `lineage stream adopt`: readers of these streams then have to begin anew"
        )


def note(connection: Connection, root: str) -> None:
    """Writes down how far the streams are. Raises TryAgain if the files cannot be used now."""
    _write(root, PublisherFile(this_database(connection), heads.next_offsets(connection)))


def adopt(dsn: str, root: str) -> list[LostRecords]:
    """Lets this database publish below a root, whoever did before; what was published there, and it does not have.

    A file that cannot be read is written anew. Raises LeaseTaken while a publisher of this database is at work, and
    TryAgain if the database or the files cannot be used now.
    """
    with explained("lineage_jobs"), held_lease(dsn, heads.PUBLISH), connect(dsn, autocommit=True) as connection:
        found = _parsed(_content(root))
        lost = _lost(found, heads.next_offsets(connection)) if found else []
        note(connection, root)
    return lost


def _lost(found: PublisherFile, next_offsets: dict[str, int]) -> list[LostRecords]:
    return [
        LostRecords(stream, next_offsets.get(stream, 0), published_upto)
        for stream, published_upto in found.next_offsets.items()
        if next_offsets.get(stream, 0) < published_upto
    ]


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
        return PublisherFile(DatabaseIdentity(**found["database"]), next_offsets)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None


def _claimed(root: str, wanted: PublisherFile) -> PublisherFile:
    """What is written there: somebody else may be first."""
    with files.failures_explained(f"The streams in {FileFolder(root)}", "Nothing was changed"):
        is_first = files.put_if_absent(_url(root), _bytes(wanted))
    return wanted if is_first else _read(root) or wanted


def _write(root: str, wanted: PublisherFile) -> None:
    with files.failures_explained(f"The streams in {FileFolder(root)}", "What was published stays"):
        files.replace(_url(root), _bytes(wanted))


def _bytes(wanted: PublisherFile) -> bytes:
    return json.dumps(asdict(wanted), indent=1).encode()
