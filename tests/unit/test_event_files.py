"""Files of events: which are found, how they are named, and what is said of those that cannot be read."""

from __future__ import annotations

import gzip
import os
from pathlib import Path

import pytest

from lineage_core.errors import NeedsOperator, WrongUsage
from lineage_core.event_files import EventFile, find, opened


def contents(file: EventFile) -> list[bytes]:
    with opened(file) as content:
        return [piece.raw for piece in content.pieces()]


def test_files_come_in_the_order_of_the_paths_and_of_their_names(tmp_path: Path) -> None:
    for name in ("b.json", "a.json", "z/c.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text("{}")
    found = find([str(tmp_path / "z"), "-", str(tmp_path)])
    assert [Path(file.name).name for file in found] == ["c.jsonl", "standard input", "a.json", "b.json", "c.jsonl"]
    assert [file.size for file in found] == [2, 0, 2, 2, 2]


def test_a_name_that_is_no_text_is_written_with_escapes(tmp_path: Path) -> None:
    (tmp_path / os.fsdecode(b"caf\xe9.json")).write_text('{"a": 1}')
    (file,) = find([str(tmp_path)])
    assert file.name.endswith("caf\\xe9.json")
    assert contents(file) == [b'{"a": 1}']


def test_an_empty_file_and_an_empty_folder_hold_nothing(tmp_path: Path) -> None:
    assert find([str(tmp_path)]) == []
    (tmp_path / "empty.json").touch()
    (tmp_path / "empty.json.gz").write_bytes(gzip.compress(b""))
    assert [contents(file) for file in find([str(tmp_path)])] == [[], []]


def test_a_path_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(WrongUsage, match=r"none\.json: no such file or folder"):
        find([str(tmp_path / "none.json")])


def test_a_file_that_went_away_is_named(tmp_path: Path) -> None:
    with (
        pytest.raises(WrongUsage, match=r"gone\.json: cannot be opened"),
        opened(EventFile("gone.json", tmp_path / "gone.json")),
    ):
        pass


@pytest.mark.parametrize("damage", ["cut", "changed", "followed by other bytes"])
def test_damage_in_gzip_is_told_after_what_can_be_read(tmp_path: Path, damage: str) -> None:
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
        with pytest.raises(NeedsOperator, match=r"events\.gz: its gzip stream is damaged"):
            content.refuse_damage()
    assert documents == [b'{"a": 1}'] * 50_000
