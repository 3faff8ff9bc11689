"""Files below any URL: written all at once or not at all, and never over one that is there."""

from __future__ import annotations

import multiprocessing
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from uuid import uuid4

import pytest

from lineage_core import files
from lineage_core.errors import TryAgain, WrongUsage
from lineage_core.files import FileFolder
from tests.support.s3 import BUCKET, local_s3


@pytest.fixture(params=["disk", "memory", "s3"])
def folder(request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[FileFolder]:
    urls = {"disk": str(tmp_path), "memory": f"memory://{uuid4().hex}", "s3": f"s3://{BUCKET}"}
    with local_s3(monkeypatch) if request.param == "s3" else nullcontext():
        yield FileFolder(urls[request.param]).below("a").below("b")


def test_a_file_is_put_once(folder: FileFolder) -> None:
    assert files.content(folder.file("x")) is None
    assert files.put_if_absent(folder.file("x"), b"first")
    assert not files.put_if_absent(folder.file("x"), b"second")
    assert files.content(folder.file("x")) == b"first"


def test_a_file_is_replaced(folder: FileFolder) -> None:
    files.put_if_absent(folder.file("x"), b"first")
    files.replace(folder.file("x"), b"second")
    assert files.content(folder.file("x")) == b"second"


def test_a_file_is_written_and_read_piece_by_piece(folder: FileFolder) -> None:
    with files.written(folder.file("x")) as stream:
        stream.write(b"one, ")
        stream.write(b"two")
    with files.opened(folder.file("x")) as stream:
        assert (stream.read(5), stream.read()) == (b"one, ", b"two")


def test_a_folder_is_listed_and_removed(folder: FileFolder) -> None:
    assert files.folders_in(folder) == []
    for name in ("two", "one"):
        files.put_if_absent(folder.below(name).file("x"), b"")
    assert files.folders_in(folder) == ["one", "two"]
    files.remove(folder)
    files.remove(folder)
    assert files.folders_in(folder) == []


def test_nothing_is_left_beside_a_file(tmp_path: Path) -> None:
    files.put_if_absent(str(tmp_path / "x"), b"1")
    files.put_if_absent(str(tmp_path / "x"), b"2")
    files.replace(str(tmp_path / "y"), b"3")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["x", "y"]


def _put(url: str, number: int) -> bool:
    return files.put_if_absent(url, str(number).encode() * 100_000)


def test_of_many_writers_one_puts_the_file(tmp_path: Path) -> None:
    with multiprocessing.get_context("spawn").Pool(4) as pool:
        for round_ in range(5):
            url = str(tmp_path / f"x{round_}")
            put = pool.starmap(_put, [(url, number) for number in range(8)])
            assert put.count(True) == 1
            assert files.content(url) == str(put.index(True)).encode() * 100_000


def test_an_address_of_no_file_system_is_refused_without_its_password() -> None:
    with pytest.raises(WrongUsage, match=r"nowhere://me:…@host") as refused:
        files.content("nowhere://me:secret@host/x")
    assert "secret" not in str(refused.value)


def test_a_failure_of_files_says_what_to_do(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("a file, no folder")
    with (
        pytest.raises(TryAgain, match=r"The stream cannot be used now: .*Nothing was written; run again"),
        files.failures_explained("The stream", "Nothing was written"),
    ):
        files.put_if_absent(str(tmp_path / "x" / "y"), b"")
