"""Below one root one database publishes, and none that was restored to an earlier time."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from lineage_core.database import store
from lineage_core.errors import NeedsOperator
from lineage_core.postgres.connection import connect
from lineage_core.streams import publisher_file, reading
from lineage_core.streams.compaction import compact
from lineage_core.streams.publisher_file import NAME, LostRecords, adopt
from lineage_core.streams.run import publish
from lineage_core.streams.store import switches

pytestmark = pytest.mark.postgres

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (md5(%(n)s)::uuid, '2026-01-01', now(), %(n)s)"


def _publish(dsn: str, root: Path, *names: str) -> None:
    switches.start(dsn, "tags")
    with connect(dsn) as connection:
        for name in names:
            connection.execute(TAG, {"n": name})
    publish(dsn, str(root))


def _files(root: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


@pytest.fixture
def other_database(empty_database: str) -> str:
    store.upgrade(empty_database)
    return empty_database


def test_the_first_publication_writes_down_whose_the_root_is_and_each_how_far_streams_are(
    database: str, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a")
    with connect(database) as connection:
        (name,) = connection.execute("SELECT current_database()").fetchone() or ()
    written = json.loads((tmp_path / NAME).read_text())
    assert written["database"]["name"] == name
    assert written["next_offsets"] == {"tags": 1}
    _publish(database, tmp_path, "b", "c")
    assert json.loads((tmp_path / NAME).read_text())["next_offsets"] == {"tags": 3}


def test_another_database_neither_publishes_nor_deletes_there(
    database: str, other_database: str, tmp_path: Path
) -> None:
    _publish(database, tmp_path / "ours", "a")
    _publish(other_database, tmp_path / "theirs", "b")
    before = _files(tmp_path)
    switches.start(other_database, "sources")
    with connect(other_database) as connection:
        connection.execute(TAG, {"n": "c"})
    for act in (publish, compact):
        with pytest.raises(NeedsOperator, match=r"are published by the database test_.*`lineage stream adopt`"):
            act(other_database, str(tmp_path / "ours"))
    assert _files(tmp_path) == before


@pytest.mark.parametrize("differs", [{"system_identifier": "1"}, {"oid": 1}])
def test_a_database_of_another_cluster_or_another_one_of_it_is_another(
    database: str, tmp_path: Path, differs: dict[str, str]
) -> None:
    _publish(database, tmp_path, "a")
    written = json.loads((tmp_path / NAME).read_text())
    (tmp_path / NAME).write_text(json.dumps(written | {"database": written["database"] | differs}))
    with pytest.raises(NeedsOperator, match="are published by the database"):
        _publish(database, tmp_path, "b")


def test_a_database_that_takes_the_place_of_another_says_so_and_the_other_is_refused(
    database: str, other_database: str, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a", "b")
    switches.start(other_database, "tags")
    assert adopt(other_database, str(tmp_path)) == [LostRecords("tags", 0, 2)]
    _publish(other_database, tmp_path, "c")
    with connect(database) as connection:
        connection.execute(TAG, {"n": "d"})
    with pytest.raises(NeedsOperator, match="are published by the database"):
        publish(database, str(tmp_path))


def test_a_database_that_was_restored_to_an_earlier_time_gives_no_offset_a_second_time(
    database: str, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a")
    earlier = shutil.copytree(tmp_path, tmp_path.with_name("earlier"))
    with connect(database) as connection:
        connection.execute("CREATE TABLE backup_heads AS TABLE stream_heads")
        connection.execute("CREATE TABLE backup_parts AS TABLE stream_parts")
    _publish(database, tmp_path, "b", "c")
    with connect(database) as connection:  # what a restore does to these tables
        connection.execute("DELETE FROM stream_parts")
        connection.execute("INSERT INTO stream_parts TABLE backup_parts")
        connection.execute("DELETE FROM stream_heads")
        connection.execute("INSERT INTO stream_heads TABLE backup_heads")
        connection.execute(TAG, {"n": "d"})
    before = _files(tmp_path)
    for act in (publish, compact):
        with pytest.raises(NeedsOperator, match="tags is at offset 1, and was at 3"):
            act(database, str(tmp_path))
    assert _files(tmp_path) == before
    assert publish(database, str(earlier)).records == 1, "with the files of its own time it goes on"


def test_after_an_adoption_publishing_goes_on_behind_what_the_database_has(database: str, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a")
    file = tmp_path / NAME
    later = json.loads(file.read_text()) | {"next_offsets": {"tags": 7, "gone": 2}}
    file.write_text(json.dumps(later))
    assert adopt(database, str(tmp_path)) == [LostRecords("tags", 1, 7), LostRecords("gone", 0, 2)]
    _publish(database, tmp_path, "b")
    assert reading.next_offset(database, "tags") == 2
    assert compact(database, str(tmp_path)).streams


def test_a_file_that_cannot_be_read_lets_nobody_publish_until_it_is_written_anew(database: str, tmp_path: Path) -> None:
    for content in ("", "[]", '{"database": {}, "next_offsets": {}}'):
        (tmp_path / NAME).write_text(content)
        with pytest.raises(NeedsOperator, match="is damaged"):
            _publish(database, tmp_path, f"tag {len(content)}")
        (tmp_path / NAME).unlink()
    (tmp_path / NAME).write_text("{")
    assert adopt(database, str(tmp_path)) == []
    assert publish(database, str(tmp_path)).records == 3


def test_of_two_databases_that_are_the_first_at_once_one_publishes(
    database: str, other_database: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = publisher_file._read

    def read_before_the_other_has_written(root: str) -> publisher_file.PublisherFile | None:
        monkeypatch.setattr(publisher_file, "_read", read)
        _publish(other_database, tmp_path, "b")
        return None

    switches.start(database, "tags")
    with connect(database) as connection:
        connection.execute(TAG, {"n": "a"})
    monkeypatch.setattr(publisher_file, "_read", read_before_the_other_has_written)
    with pytest.raises(NeedsOperator, match="are published by the database"):
        publish(database, str(tmp_path))


def test_a_publication_of_nothing_needs_no_files(database: str, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a")
    (no_folder := tmp_path / "file").touch()
    assert publish(database, str(no_folder)).records == 0
