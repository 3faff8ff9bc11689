"""The spool: what is put there is on disk, for one process at a time, and never more than it may have."""

from __future__ import annotations

import errno
import multiprocessing
import os
import stat
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lineage_core.errors import NeedsOperator
from lineage_core.ingest import spool
from lineage_core.ingest.spool import BLOCK, Spool
from tests.support.spool_processes import fill

_SPAWN = multiprocessing.get_context("spawn")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "spool"


def _put(folder: Path, *documents: bytes) -> None:
    for document in documents:
        with Spool(folder).put(document):
            pass


def _waiting(folder: Path) -> list[bytes]:
    found = []
    for kept in Spool(folder).claimed():
        with kept:
            found.append(kept.raw)
    return found


def test_what_is_put_waits_in_its_order_until_it_is_removed(folder: Path) -> None:
    _put(folder, b"1", b"2", b"3")
    for kept in Spool(folder).claimed():
        with kept:
            if kept.raw == b"2":
                kept.remove()
    assert _waiting(folder) == [b"1", b"3"]


def test_a_spool_that_no_one_has_made_is_empty(folder: Path) -> None:
    assert _waiting(folder) == []


def test_only_its_owner_can_read_it(folder: Path) -> None:
    _put(folder, b"{}")
    modes = [stat.S_IMODE(path.stat().st_mode) for path in (folder, *folder.iterdir())]
    assert modes == [0o700, 0o600]


def test_what_one_has_at_hand_no_other_gets(folder: Path) -> None:
    with Spool(folder).put(b"at hand"):
        assert _waiting(folder) == []
    with next(Spool(folder).claimed()):
        assert _waiting(folder) == []
    assert _waiting(folder) == [b"at hand"]


def test_an_event_that_another_stored_meanwhile_is_passed_over(folder: Path) -> None:
    _put(folder, b"1", b"2")
    waiting = Spool(folder).claimed()
    with next(waiting):
        for path in folder.iterdir():
            path.unlink()
    assert list(waiting) == []


def test_it_is_full_aloud_and_what_it_has_stays(folder: Path) -> None:
    full = Spool(folder, 3 * BLOCK)
    for number in range(3):
        with full.put(b"%d" % number):
            pass
    with pytest.raises(NeedsOperator, match=r"full: with this event it would have 16,384 bytes, and may have 12,288"):
        full.put(b"3")
    assert _waiting(folder) == [b"0", b"1", b"2"]
    for kept in full.claimed():
        with kept:
            kept.remove()
    with full.put(b"4"):
        pass
    assert _waiting(folder) == [b"4"]


def test_large_events_count_by_their_bytes(folder: Path) -> None:
    with pytest.raises(NeedsOperator, match="full"):
        Spool(folder, 1 << 20).put(b"x" * ((1 << 20) + 1))


def test_many_that_fill_it_at_once_keep_to_its_bound(folder: Path) -> None:
    fillers = [_SPAWN.Process(target=fill, args=(folder, 100 * BLOCK)) for _ in range(4)]
    for filler in fillers:
        filler.start()
    for filler in fillers:
        filler.join()
    assert len(_waiting(folder)) == 100


def test_one_that_stands_still_while_it_adds_keeps_no_one_from_adding(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spool, "PATIENCE_SECONDS", 0.1)
    _put(folder, b"1")
    with Spool(folder)._alone():
        _put(folder, b"2")
    assert _waiting(folder) == [b"1", b"2"]


def _fail(code: int, after: int = 0) -> Callable[..., Any]:
    """Stands for a call to the system that fails."""
    calls = 0

    def fail(*_: object, **__: object) -> int:
        nonlocal calls
        calls += 1
        if calls <= after:
            return 1
        raise OSError(code, os.strerror(code))

    return fail


@pytest.mark.parametrize(
    ("call", "failure"),
    [
        ("os.write", _fail(errno.ENOSPC)),
        ("os.write", _fail(errno.ENOSPC, after=1)),
        ("os.fsync", _fail(errno.EIO)),
        ("os.open", _fail(errno.EACCES)),
        ("fcntl.flock", _fail(errno.ENOLCK)),
    ],
)
def test_what_cannot_be_kept_is_reported_and_leaves_nothing(
    folder: Path, monkeypatch: pytest.MonkeyPatch, call: str, failure: Callable[..., Any]
) -> None:
    _put(folder, b"before")
    with monkeypatch.context() as patch, pytest.raises(NeedsOperator, match="cannot be kept in"):
        patch.setattr(f"lineage_core.ingest.spool.{call}", failure)
        Spool(folder).put(b"{}")
    assert _waiting(folder) == [b"before"]
    assert len(list(folder.iterdir())) == 1


def test_a_folder_that_is_none_is_reported(folder: Path) -> None:
    folder.write_text("a file")
    with pytest.raises(NeedsOperator, match="cannot be kept"):
        Spool(folder).put(b"{}")
    with pytest.raises(NeedsOperator, match="cannot be read"):
        _waiting(folder)


def test_what_cannot_be_read_is_named_and_costs_nothing_else(folder: Path, caplog: pytest.LogCaptureFixture) -> None:
    _put(folder, b"1")
    (folder / "0-link.json").symlink_to(folder / "elsewhere")
    os.mkfifo(folder / "0-pipe.json")
    (folder / "0-folder.json").mkdir()
    (folder / "notes.txt").write_text("no event")
    _put(folder, b"2")
    assert _waiting(folder) == [b"1", b"2"]
    assert "0-link.json stays in the spool" in caplog.text


def test_what_a_killed_writer_left_is_found_and_what_is_being_written_is_not(folder: Path) -> None:
    _put(folder, b"1")
    (folder / f"{time.time_ns()}-abandoned.part").write_bytes(b'{"half')
    (folder / f"{time.time_ns()}-nothing.part").touch()
    assert _waiting(folder) == [b"1", b'{"half']
