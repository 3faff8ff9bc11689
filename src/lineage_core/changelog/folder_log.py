"""The log of a stream in a folder: each commit is a file that is there whole, or not at all; its number is given once.

A commit says what it changes; the *head* is what all commits up to one of them make. A head is kept as a file now and
then, so that a reader opens the last of these files and the commits behind it, however many there were before.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from typing import Any

from lineage_core import files
from lineage_core.changelog.parts import CheckpointFile, StreamPart
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.errors import TryAgain
from lineage_core.evolution import MigrationType
from lineage_core.files import FileFolder

HISTORY, CHECKPOINTS, COMMITS, HEADS = "history", "checkpoints", "commits", "heads"
"""The folders of a stream."""

COMMITS_BETWEEN_HEADS = 100

_NUMBERED = re.compile(r"(\d{20})\.json")
_NOTHING_PUBLISHED = "Nothing was published"


@dataclass(frozen=True)
class LeftFile:
    """A file that the stream has no longer, since the commit of a system time. Who has an earlier head may read it."""

    path: str
    """Below the folder of the stream."""
    since: datetime


@dataclass(frozen=True)
class FolderHead:
    """What a stream in a folder is, at one moment."""

    commits: int
    parts: tuple[StreamPart, ...]
    """All of the stream, in the order of offsets."""
    system_time: datetime | None
    """Of the last commit; None before the first one."""
    schemas: StreamSchemas
    """None are registered in a folder that an earlier release wrote, until its next commit."""
    key: tuple[str, ...] | None = None
    """The columns that name a row, () if none do; None as long as that is not known."""
    checkpoint: CheckpointFile | None = None
    left: tuple[LeftFile, ...] = ()

    @property
    def next_offset(self) -> int:
        return self.parts[-1].end_offset + 1 if self.parts else 0

    def not_before(self, now: datetime) -> datetime:
        """A system time for the next commit: now, or that of the last one if a clock went back since."""
        return max(now, self.system_time or now)

    def after(self, commit: FolderCommit) -> FolderHead:
        """The head that a commit makes of this one."""
        replaced = {name for merged in commit.merged for name in merged.names}
        parts = [part for part in self.parts if part.name not in replaced]
        parts += [merged.into for merged in commit.merged]
        left = [f"{HISTORY}/{part.name}" for part in self.parts if part.name in replaced]
        if commit.checkpoint is not None and self.checkpoint is not None:
            left.append(f"{CHECKPOINTS}/{self.checkpoint.name}")
        return replace(
            self,
            commits=self.commits + 1,
            parts=(*sorted(parts, key=lambda part: part.start_offset), *commit.parts),
            system_time=commit.system_time,
            schemas=replace(self.schemas, types=(*self.schemas.types, *commit.schemas)),
            key=self.key if commit.key is None else commit.key,
            checkpoint=commit.checkpoint or self.checkpoint,
            left=(
                *(one for one in self.left if one.path not in commit.deleted),
                *(LeftFile(path, commit.system_time) for path in left),
            ),
        )


@dataclass(frozen=True)
class MergedFiles:
    """Parts that one part with the same records stands for, by their names."""

    names: tuple[str, ...]
    into: StreamPart


@dataclass(frozen=True)
class FolderCommit:
    """What one commit changes.

    parts: those that it adds. schemas: the migration types that follow those there are. deleted: the paths of files
    that were left, and are gone now.
    """

    system_time: datetime
    parts: tuple[StreamPart, ...] = ()
    schemas: tuple[MigrationType, ...] = ()
    key: tuple[str, ...] | None = None
    merged: tuple[MergedFiles, ...] = ()
    checkpoint: CheckpointFile | None = None
    deleted: tuple[str, ...] = ()


@dataclass(frozen=True)
class FolderLog:
    """Reads and writes the log of one stream."""

    folder: FileFolder
    stream: str

    def head(self) -> FolderHead:
        """Raises NeedsOperator if a commit is missing or unreadable, TryAgain if files cannot be used now."""
        with files.failures_explained(f"The stream {self.stream} in {self.folder}", "Nothing was read"):
            kept = max(_numbers(files.files_in(self.folder.below(HEADS))), default=0)
            numbers = _numbers(files.files_in(self.folder.below(COMMITS)))
            head = self._kept_head(kept) if kept else FolderHead(0, (), None, StreamSchemas(self.stream))
            for number in range(kept, max(numbers, default=-1) + 1):
                head = head.after(self._commit(number))
        return head

    def append(self, head: FolderHead, commit: FolderCommit) -> FolderHead:
        """Makes it the next commit behind a head, and gives the head after it.

        Raises TryAgain if somebody else has appended meanwhile, or files cannot be used now: then nothing has changed.
        """
        with files.failures_explained(f"The stream {self.stream} in {self.folder}", _NOTHING_PUBLISHED):
            if head.commits and head.commits % COMMITS_BETWEEN_HEADS == 0:
                self.keep(head)
            data = json.dumps(_commit_values(commit)).encode()
            url = self._file(COMMITS, head.commits)
            # A repeat of a request whose answer was lost finds what it has written itself.
            if not files.put_if_absent(url, data) and files.content(url) != data:
                raise TryAgain(f"The stream {self.stream} in {self.folder} has moved meanwhile; nothing was published")
        return head.after(commit)

    def keep(self, head: FolderHead) -> None:
        """Writes a head as a file. Every writer writes the same one, as it follows from the commits."""
        files.put_if_absent(self._file(HEADS, head.commits), json.dumps(_head_values(head)).encode())

    def forget(self, until: datetime) -> int:
        """Removes the commits and kept heads that a head which was kept before a time stands for; how many there were.

        Raises TryAgain if files cannot be used now.
        """
        with files.failures_explained(f"The stream {self.stream} in {self.folder}", "Nothing else was changed"):
            kept = _numbers(files.files_in(self.folder.below(HEADS)))
            old = [number for number in kept if files.modified(self._file(HEADS, number)) < until]
            last = max(old, default=0)
            commits = _numbers(files.files_in(self.folder.below(COMMITS)))
            gone = [self._file(COMMITS, number) for number in commits if number < last]
            gone += [self._file(HEADS, number) for number in old if number < last]
            for url in gone:
                files.remove_file(url)
        return len(gone)

    def _commit(self, number: int) -> FolderCommit:
        return _commit_of(self._json(self._file(COMMITS, number)), self.stream)

    def _kept_head(self, number: int) -> FolderHead:
        return _head_of(self._json(self._file(HEADS, number)), self.stream)

    def _file(self, folder: str, number: int) -> str:
        return self.folder.below(folder).file(f"{number:020d}.json")

    @staticmethod
    def _json(url: str) -> Any:
        data = files.content(url)
        if data is None:
            raise files.damaged(url, "it is not there", "Bring it back, then run again")
        try:
            return json.loads(data)
        except ValueError as error:
            raise files.damaged(url, f"it is no JSON: {error}", "Bring it back, then run again") from error


def _numbers(names: Iterable[str]) -> list[int]:
    """A writer that was killed may have left a file that it had not named yet: such names are none."""
    return sorted(int(found[1]) for found in map(_NUMBERED.fullmatch, names) if found)


def _commit_values(commit: FolderCommit) -> dict[str, Any]:
    """As JSON. What a commit does not change is not in it."""
    values = {
        "parts": _part_values(commit.parts),
        "schemas": [one.to_json() for one in commit.schemas],
        "key": None if commit.key is None else list(commit.key),
        "merged": [{"names": list(one.names), "into": _part_values([one.into])[0]} for one in commit.merged],
        "checkpoint": _checkpoint_values(commit.checkpoint),
        "deleted": list(commit.deleted),
    }
    filled = {name: value for name, value in values.items() if value is not None and value != []}
    if commit.key == ():
        filled["key"] = []
    return {"system_time": commit.system_time.isoformat(), **filled}


def _commit_of(values: Any, stream: str) -> FolderCommit:
    return FolderCommit(
        datetime.fromisoformat(values["system_time"]),
        _parts_of(values.get("parts", ()), stream),
        tuple(map(MigrationType.from_json, values.get("schemas", ()))),
        tuple(values["key"]) if "key" in values else None,
        tuple(
            MergedFiles(tuple(one["names"]), _parts_of([one["into"]], stream)[0]) for one in values.get("merged", ())
        ),
        _checkpoint_of(values.get("checkpoint"), stream),
        tuple(values.get("deleted", ())),
    )


def _head_values(head: FolderHead) -> dict[str, Any]:
    return {
        "commits": head.commits,
        "parts": _part_values(head.parts),
        "system_time": None if head.system_time is None else head.system_time.isoformat(),
        "schemas": [one.to_json() for one in head.schemas.types],
        "key": None if head.key is None else list(head.key),
        "checkpoint": _checkpoint_values(head.checkpoint),
        "left": [{"path": one.path, "since": one.since.isoformat()} for one in head.left],
    }


def _head_of(values: Any, stream: str) -> FolderHead:
    time, key = values["system_time"], values["key"]
    return FolderHead(
        values["commits"],
        _parts_of(values["parts"], stream),
        None if time is None else datetime.fromisoformat(time),
        StreamSchemas(stream, tuple(map(MigrationType.from_json, values["schemas"]))),
        None if key is None else tuple(key),
        _checkpoint_of(values["checkpoint"], stream),
        tuple(LeftFile(one["path"], datetime.fromisoformat(one["since"])) for one in values["left"]),
    )


def _part_values(parts: Iterable[StreamPart]) -> list[dict[str, Any]]:
    return [{name: value for name, value in asdict(part).items() if name != "stream"} for part in parts]


def _parts_of(values: Iterable[Any], stream: str) -> tuple[StreamPart, ...]:
    return tuple(StreamPart(stream=stream, **part) for part in values)


def _checkpoint_values(checkpoint: CheckpointFile | None) -> dict[str, Any] | None:
    if checkpoint is None:
        return None
    return {name: value for name, value in asdict(checkpoint).items() if name != "stream"}


def _checkpoint_of(values: Any, stream: str) -> CheckpointFile | None:
    return None if values is None else CheckpointFile(stream=stream, **values)
