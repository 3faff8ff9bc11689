"""A changelog stream in a folder of its own, below any URL: for streams whose parts no database lists.

`history/` has the parts, `commits/` a file for each commit, numbered from 0, that lists the parts it adds. A commit is
there whole, or not at all, and no second one has its number: so of two writers at the same moment one is refused. Parts
that no commit lists belong to no stream. Each commit is a file that readers open: this is for thousands of commits, not
for millions. Whoever writes parts may have their schemas judged first (`lineage_core.streams.registry`); a folder does
not do so by itself.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import pyarrow as pa

from lineage_core import files
from lineage_core.changelog.layout import STANDARD, slice_of
from lineage_core.changelog.parts import StreamPart, read_part
from lineage_core.changelog.vocabulary import DatasetVocabulary
from lineage_core.errors import NeedsOperator, TryAgain, WrongUsage
from lineage_core.files import FileFolder

_COMMIT = re.compile(r"\d{20}\.json")


@dataclass(frozen=True)
class FolderHead:
    """How far a stream in a folder is published, at one moment."""

    commits: int
    parts: tuple[StreamPart, ...]
    """All of the stream, in the order of offsets."""
    system_time: datetime | None
    """Of the last commit; None before the first one."""

    @property
    def next_offset(self) -> int:
        return self.parts[-1].end_offset + 1 if self.parts else 0

    def not_before(self, now: datetime) -> datetime:
        """A system time for the next commit: now, or that of the last one if a clock went back since."""
        return max(now, self.system_time or now)


@dataclass(frozen=True)
class StreamFolder:
    """A stream and its folder. Streams may share no folder."""

    folder: FileFolder
    name: str

    @property
    def history(self) -> FileFolder:
        """Where parts are to be written."""
        return self.folder.below("history")

    @property
    def _commits(self) -> FileFolder:
        return self.folder.below("commits")

    def head(self) -> FolderHead:
        """Raises NeedsOperator if a commit is missing or unreadable, TryAgain if files cannot be used now."""
        with files.failures_explained(f"The stream {self.name} in {self.folder}", "Nothing was read"):
            # A writer that was killed may have left a file that it had not named yet.
            names = [name for name in files.files_in(self._commits) if _COMMIT.fullmatch(name)]
            commits = [self._commit(number) for number in range(len(names))]
        parts = tuple(StreamPart(stream=self.name, **part) for commit in commits for part in commit["parts"])
        return FolderHead(len(commits), parts, datetime.fromisoformat(commits[-1]["system_time"]) if commits else None)

    def append(self, head: FolderHead, parts: Sequence[StreamPart], system_time: datetime) -> FolderHead:
        """Makes parts that are written a commit behind a head, and gives the head after it. No parts are no commit.

        Raises WrongUsage if the parts do not begin where the head is, leave a gap, or if the system time goes back;
        TryAgain if somebody else has appended meanwhile, or files cannot be used now: then nothing was published.
        """
        if not parts:
            return head
        _refuse_gaps(head, parts)
        if system_time.tzinfo is None or (head.system_time is not None and system_time < head.system_time):
            raise WrongUsage(f"The system time {system_time} has no time zone, or is before that of the last commit")
        listed = [{name: value for name, value in vars(part).items() if name != "stream"} for part in parts]
        data = json.dumps({"system_time": system_time.isoformat(), "parts": listed}).encode()
        url = self._commits.file(_file_of(head.commits))
        with files.failures_explained(f"The stream {self.name} in {self.folder}", "Nothing was published"):
            # A repeat of a request whose answer was lost finds what it has written itself.
            if not files.put_if_absent(url, data) and files.content(url) != data:
                raise TryAgain(f"The stream {self.name} in {self.folder} has moved meanwhile; nothing was published")
        return FolderHead(head.commits + 1, (*head.parts, *parts), system_time)

    def records(self, head: FolderHead, vocabulary: DatasetVocabulary = STANDARD) -> pa.Table:
        """All records up to a head that has any. A column that a part lacks is NULL there.

        Raises WrongUsage if there are none yet, NeedsOperator if a column has another type in some parts than in
        others, and what `read_part` raises.
        """
        if not head.parts:
            raise WrongUsage(f"The stream {self.name} in {self.folder} has no records yet")
        tables = [read_part(self.history, part).replace_schema_metadata() for part in head.parts]
        try:
            return slice_of(pa.concat_tables(tables, promote_options="default"), vocabulary)
        except pa.ArrowTypeError as error:
            raise NeedsOperator(
                f"The parts of the stream {self.name} in {self.folder} do not have the same types: {error}. Have its"
                " schemas judged before they are written, by `lineage_core.streams.registry.compare_and_evolve`"
            ) from error

    def paths(self, head: FolderHead) -> list[str]:
        """Of the parts, for other readers of Parquet."""
        return [self.history.file(part.name) for part in head.parts]

    def _commit(self, number: int) -> Any:
        url = self._commits.file(_file_of(number))
        data = files.content(url)
        if data is None:
            raise files.damaged(url, "it is not there", "Bring it back, then run again")
        try:
            return json.loads(data)
        except ValueError as error:
            raise files.damaged(url, f"it is no JSON: {error}", "Bring it back, then run again") from error


def _file_of(number: int) -> str:
    return f"{number:020d}.json"


def _refuse_gaps(head: FolderHead, parts: Iterable[StreamPart]) -> None:
    expected = head.next_offset
    for part in parts:
        if part.start_offset != expected:
            raise WrongUsage(f"{part.name} begins with offset {part.start_offset}, and {expected} is the next")
        expected = part.end_offset + 1
