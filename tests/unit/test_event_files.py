"""Files of events: which are found, how they are named, and what is stated of those that cannot be read."""

from __future__ import annotations

import errno
import gzip
import io
import os
import shutil
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from lineage_core.errors import WrongUsage
from lineage_core.ingest.event_files import EventFile, FoundFiles, OpeningFailure, find, opened
from tests.support.servers import reachable_folder

UNPRIVILEGED = 65534


def contents(file: EventFile) -> list[bytes]:
    with opened(file) as content:
        return [piece.raw for piece in content.pieces()]


def names(found: FoundFiles) -> list[str]:
    return [Path(file.name).name for file in found.files]


def reasons(found: FoundFiles, folder: Path) -> dict[str, str]:
    """What could not be read, by its place below a folder."""
    return {str(Path(one.name).relative_to(folder)): one.reason for one in found.unreadable}


@contextmanager
def unprivileged() -> Iterator[None]:
    """As somebody whom rights bind; for root they do not count."""
    is_root = os.geteuid() == 0
    if is_root:
        os.seteuid(UNPRIVILEGED)
    try:
        yield
    finally:
        if is_root:
            os.seteuid(0)


def test_files_come_in_the_order_of_the_paths_and_of_their_names(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "z/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    found = find([str(tmp_path / "z"), "-", str(tmp_path)])
    assert names(found) == ["c.jsonl", "standard input", "a.json", "b.json", "c.jsonl"]
    assert [file.size for file in found.files] == [2, 0, 2, 2, 2]


def test_a_name_that_is_no_text_is_written_with_escapes(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.json")).write_text('{"a": 1}')
    (file,) = find([str(tmp_path)]).files
    assert file.name.endswith("caf\\xe9.json")
    assert contents(file) == [b'{"a": 1}']


def test_an_empty_file_and_an_empty_folder_hold_nothing(tmp_path: Path) -> None:
    assert find([str(tmp_path)]) == FoundFiles(())
    (tmp_path / "empty.json").touch()
    (tmp_path / "empty.json.gz").write_bytes(gzip.compress(b""))
    assert [contents(file) for file in find([str(tmp_path)]).files] == [[], []]


@pytest.mark.parametrize("name", ["none.json", "file.json/none.json"])
def test_a_path_that_is_not_there_is_named(tmp_path: Path, name: str) -> None:
    (tmp_path / "file.json").touch()
    with pytest.raises(WrongUsage, match=r"none\.json: no such file or folder"):
        find([str(tmp_path / name)])


def test_what_is_no_file_in_a_folder_is_reported_and_costs_nothing_else(tmp_path: Path) -> None:
    (tmp_path / "a.json").write_text("{}")
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "broken-folder").symlink_to("/nowhere/at/all")
    (tmp_path / "itself.ndjson").symlink_to("itself.ndjson")
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "device.json").symlink_to("/dev/null")
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(tmp_path / "socket.json.gz"))
        found = find([str(tmp_path)])
    assert names(found) == ["a.json"]
    assert reasons(found, tmp_path) == {
        "broken.json": "it cannot be found (No such file or directory)",
        "broken-folder": "it cannot be found (No such file or directory)",
        "itself.ndjson": "it cannot be found (Too many levels of symbolic links)",
        "pipe.jsonl": "it is a pipe, which is read only where it is named itself",
        "device.json": "it is a device, which is read only where it is named itself",
        "socket.json.gz": "it is no file",
    }


def test_files_that_are_not_asked_for_are_not_reported(tmp_path: Path) -> None:
    (tmp_path / "notes.txt").write_text("no event")
    os.mkfifo(tmp_path / "pipe")
    assert find([str(tmp_path)]) == FoundFiles(())


def test_a_broken_link_that_is_named_itself_is_reported(tmp_path: Path) -> None:
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere")
    (tmp_path / "a.json").write_text("{}")
    found = find([str(tmp_path / "broken.json"), str(tmp_path / "a.json")])
    assert names(found) == ["a.json"]
    assert list(reasons(found, tmp_path)) == ["broken.json"]


def test_links_to_folders_are_followed_to_each_folder_once(tmp_path: Path) -> None:
    (tmp_path / "events" / "old").mkdir(parents=True)
    (tmp_path / "elsewhere").mkdir()
    for name in ("events/a.json", "events/old/b.json", "elsewhere/c.json"):
        (tmp_path / name).write_text("{}")
    (tmp_path / "events" / "old" / "round").symlink_to(tmp_path / "events")
    (tmp_path / "events" / "linked").symlink_to(tmp_path / "elsewhere")
    (tmp_path / "events" / "again").symlink_to(tmp_path / "elsewhere")
    found = find([str(tmp_path / "events")])
    assert sorted(names(found)) == ["a.json", "b.json", "c.json"]
    assert found.unreadable == ()


@pytest.fixture
def folder_for_all() -> Iterator[Path]:
    folder = reachable_folder()
    folder.chmod(0o755)
    yield folder
    for closed in ("closed", "unlisted"):
        (folder / closed).chmod(0o700)
    shutil.rmtree(folder)


def test_what_one_has_no_right_to_read_is_reported(folder_for_all: Path) -> None:
    folder = folder_for_all
    for name in ("a.json", "closed.json", "closed/b.json", "unlisted/c.json"):
        (folder / name).parent.mkdir(exist_ok=True)
        (folder / name).write_text("{}")
    (folder / "closed.json").chmod(0)
    (folder / "closed").chmod(0)
    (folder / "unlisted").chmod(0o311)
    with unprivileged():
        found = find([str(folder)])
        assert reasons(found, folder) == {
            "closed": "the folder cannot be read (Permission denied)",
            "unlisted": "the folder cannot be read (Permission denied)",
        }
        assert names(found) == ["a.json", "closed.json"]
        with pytest.raises(OpeningFailure, match=r"closed\.json: it cannot be opened \(Permission denied\)"):
            contents(found.files[1])
        named = find([str(folder / "closed" / "b.json"), str(folder / "unlisted" / "c.json")])
    assert names(named) == ["c.json"]
    assert reasons(named, folder) == {"closed/b.json": "it cannot be found (Permission denied)"}


def _gone(path: Path) -> None:
    path.unlink()


def _now_a_pipe(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def _now_a_folder(path: Path) -> None:
    path.unlink()
    path.mkdir()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (_gone, r"it cannot be opened \(No such file or directory\)"),
        (_now_a_pipe, "it is a pipe"),
        (_now_a_folder, "it is no file"),
    ],
)
def test_a_file_that_has_changed_since_it_was_found_is_reported(
    tmp_path: Path, change: Callable[[Path], None], reason: str
) -> None:
    (tmp_path / "a.json").write_text("{}")
    (file,) = find([str(tmp_path)]).files
    change(tmp_path / "a.json")
    with pytest.raises(OpeningFailure, match=rf"a\.json: {reason}"):
        contents(file)


def test_a_pipe_that_is_named_is_read_like_a_stream(tmp_path: Path) -> None:
    """As `lineage ingest <(zcat events.gz)` names one."""
    os.mkfifo(tmp_path / "pipe")
    writing = threading.Thread(target=(tmp_path / "pipe").write_bytes, args=(gzip.compress(b'{"a": 1}'),))
    writing.start()
    (file,) = find([str(tmp_path / "pipe")]).files
    assert contents(file) == [b'{"a": 1}']
    writing.join()


def test_standard_input_that_is_closed_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sys.stdin", None)
    (file,) = find(["-"]).files
    with pytest.raises(OpeningFailure, match="standard input: it is closed"):
        contents(file)


class _Failing(io.RawIOBase):
    """A file on a disk that fails behind its first bytes."""

    def __init__(self, *parts: bytes) -> None:
        self._parts = list(parts)

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        if not self._parts:
            raise OSError(errno.EIO, os.strerror(errno.EIO))
        part = self._parts.pop(0)
        buffer[: len(part)] = part
        return len(part)


@pytest.mark.parametrize("parts", [(), (b'{"a": 1}\n{"b',)])
def test_a_disk_that_fails_is_reported_after_what_can_be_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, parts: tuple[bytes, ...]
) -> None:
    (tmp_path / "a.json").write_text("{}")
    (file,) = find([str(tmp_path)]).files
    failing: Any = _Failing(*parts)
    monkeypatch.setattr(os, "fdopen", lambda *_: io.BufferedReader(failing))
    if not parts:
        with pytest.raises(OpeningFailure, match=r"a\.json: it cannot be opened \(Input/output error\)"):
            contents(file)
        return
    with opened(file) as content:
        assert [piece.raw for piece in content.pieces()][:1] == [b'{"a": 1}']
    assert str(content.damage).endswith("it cannot be read on (Input/output error); what came before is stored")


@pytest.mark.parametrize("damage", ["cut", "changed", "followed by other bytes"])
def test_damage_in_gzip_is_reported_after_what_can_be_read(tmp_path: Path, damage: str) -> None:
    whole = gzip.compress(b'{"a": 1}\n' * 50_000 + os.urandom(50_000).hex().encode())
    path = tmp_path / "events.gz"
    path.write_bytes(
        {
            "cut": whole[:-20_000],
            "changed": whole[:-30_000] + bytes(100) + whole[-29_900:],
            "followed by other bytes": whole + b"other bytes",
        }[damage]
    )
    with opened(EventFile("events.gz", path)) as content:
        documents = [piece.raw for piece in content.pieces() if piece.fault is None]
    assert str(content.damage).startswith("events.gz: its gzip stream is damaged")
    assert documents == [b'{"a": 1}'] * 50_000
