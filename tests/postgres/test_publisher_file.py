"""Below one root one database publishes, and none that was restored to an earlier time."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from lineage_core.errors import LeaseLost, LineageError, NeedsOperator, TryAgain
from lineage_core.operate import whole_store
from lineage_core.operate.whole_store import examine
from lineage_core.postgres.connection import connect
from lineage_core.postgres.store import Store
from lineage_core.streams import publisher_file, reading, states, verification
from lineage_core.streams.compaction import compact
from lineage_core.streams.failures import FailedStream, FailureKind, StreamFailures, refuse_failed
from lineage_core.streams.operation import STREAM_ROOT
from lineage_core.streams.publication import PublicationOutcome, publish, publish_each
from lineage_core.streams.publisher_file import NAME, LostRecords, Publication, adopt
from lineage_core.streams.store import heads, switches
from lineage_core.streams.store.heads import StreamHead
from lineage_core.tasks import Done, Item, SerialRunner, Work

pytestmark = pytest.mark.postgres

TAG = "INSERT INTO tags (uuid, created_at, updated_at, name) VALUES (md5(%(n)s)::uuid, '2026-01-01', now(), %(n)s)"

SOURCE = (
    "INSERT INTO sources (uuid, type, created_at, updated_at, name, connection_url)"
    " VALUES (md5('s')::uuid, 'POSTGRESQL', now(), now(), 's', '')"
)


def _publish(database: Store, root: Path, *names: str) -> None:
    switches.start(database, "tags")
    with database.connect() as connection:
        for name in names:
            connection.execute(TAG, {"n": name})
    publish(database, str(root))


def _files(root: Path) -> dict[str, bytes]:
    return {str(file): file.read_bytes() for file in sorted(root.rglob("*")) if file.is_file()}


@pytest.fixture
def other_database(empty_database: Store) -> Store:
    whole_store.upgrade(empty_database)
    return empty_database


def test_the_first_publication_writes_down_whose_the_root_is_and_each_how_far_streams_are(
    database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a")
    with database.connect() as connection:
        (name,) = connection.execute("SELECT current_database()").fetchone() or ()
    written = json.loads((tmp_path / NAME).read_text())
    assert written["database"]["name"] == name
    assert written["next_offsets"] == {"tags": 1}
    _publish(database, tmp_path, "b", "c")
    assert json.loads((tmp_path / NAME).read_text())["next_offsets"] == {"tags": 3}


def test_another_database_neither_publishes_nor_deletes_there(
    database: Store, other_database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path / "ours", "a")
    _publish(other_database, tmp_path / "theirs", "b")
    before = _files(tmp_path)
    switches.start(other_database, "sources")
    with connect(other_database.dsn) as connection:
        connection.execute(TAG, {"n": "c"})
    for act in (publish, compact):
        with pytest.raises(NeedsOperator, match=r"are published by the database test_.*`lineage stream adopt`"):
            act(other_database, str(tmp_path / "ours"))
    assert _files(tmp_path) == before


@pytest.mark.parametrize("differs", [{"system_identifier": "1"}, {"oid": 1}])
def test_a_database_of_another_cluster_or_another_one_of_it_is_another(
    database: Store, tmp_path: Path, differs: dict[str, str]
) -> None:
    _publish(database, tmp_path, "a")
    written = json.loads((tmp_path / NAME).read_text())
    (tmp_path / NAME).write_text(json.dumps(written | {"database": written["database"] | differs}))
    with pytest.raises(NeedsOperator, match="are published by the database"):
        _publish(database, tmp_path, "b")


def test_a_database_that_takes_the_place_of_another_says_so_and_the_other_is_refused(
    database: Store, other_database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a", "b")
    switches.start(other_database, "tags")
    assert adopt(other_database, str(tmp_path)) == [LostRecords("tags", 0, 2)]
    _publish(other_database, tmp_path, "c")
    with database.connect() as connection:
        connection.execute(TAG, {"n": "d"})
    with pytest.raises(NeedsOperator, match="are published by the database"):
        publish(database, str(tmp_path))


def test_a_database_that_was_restored_to_an_earlier_time_gives_no_offset_a_second_time(
    database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a")
    earlier = shutil.copytree(tmp_path, tmp_path / "earlier")
    with database.connect() as connection:
        connection.execute("CREATE TABLE backup_heads AS TABLE stream_heads")
        connection.execute("CREATE TABLE backup_parts AS TABLE stream_parts")
    _publish(database, tmp_path, "b", "c")
    with database.connect() as connection:  # what a restore does to these tables
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


def test_after_an_adoption_publishing_goes_on_behind_what_the_database_has(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a")
    file = tmp_path / NAME
    later = json.loads(file.read_text()) | {"next_offsets": {"tags": 7, "gone": 2}}
    file.write_text(json.dumps(later))
    assert adopt(database, str(tmp_path)) == [LostRecords("tags", 1, 7), LostRecords("gone", 0, 2)]
    _publish(database, tmp_path, "b")
    assert reading.next_offset(database, "tags") == 2
    assert compact(database, str(tmp_path)).streams


def test_a_file_that_cannot_be_read_lets_no_one_publish_until_it_is_written_anew(
    database: Store, tmp_path: Path
) -> None:
    for content in ("", "[]", '{"database": {}, "next_offsets": {}}'):
        (tmp_path / NAME).write_text(content)
        with pytest.raises(NeedsOperator, match="is damaged"):
            _publish(database, tmp_path, f"tag {len(content)}")
        (tmp_path / NAME).unlink()
    (tmp_path / NAME).write_text("{")
    assert adopt(database, str(tmp_path)) == []
    assert publish(database, str(tmp_path)).records == 3


def test_of_two_databases_that_are_the_first_at_once_one_publishes(
    database: Store, other_database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read = publisher_file._read

    def read_before_the_other_has_written(root: str) -> publisher_file.PublisherFile | None:
        monkeypatch.setattr(publisher_file, "_read", read)
        _publish(other_database, tmp_path, "b")
        return None

    switches.start(database, "tags")
    with database.connect() as connection:
        connection.execute(TAG, {"n": "a"})
    monkeypatch.setattr(publisher_file, "_read", read_before_the_other_has_written)
    with pytest.raises(NeedsOperator, match="are published by the database"):
        publish(database, str(tmp_path))


def test_a_publication_of_nothing_needs_no_files(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a")
    (no_folder := tmp_path / "file").touch()
    assert publish(database, str(no_folder)).records == 0


def _change(database: Store, *names: str) -> None:
    with database.connect() as connection:
        for name in names:
            connection.execute(TAG, {"n": name})


def test_another_root_is_refused_before_anything_is_written_or_read(database: Store, tmp_path: Path) -> None:
    ours, empty, parts_alone = tmp_path / "ours", tmp_path / "empty", tmp_path / "parts"
    _publish(database, ours, "a")
    shutil.copytree(ours / "tags", parts_alone / "tags")
    _change(database, "b")
    before = _files(tmp_path)
    for root in (empty, parts_alone):
        acts: list[Callable[[], object]] = [
            partial(publish, database, str(root)),
            partial(compact, database, str(root)),
            partial(reading.records, database, str(root), "tags"),
            partial(verification.verify, database, str(root), "tags"),
            partial(states.write_replayed, database, str(root), "tags", tmp_path / "tags.parquet"),
        ]
        for act in acts:
            with pytest.raises(NeedsOperator, match=rf"(?s)no publisher\.json.*{ours}.*stream adopt"):
                act()
    assert _files(tmp_path) == before
    assert publish(database, str(ours)).records == 1


def test_the_root_of_another_publication_of_the_same_database_is_another_root(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path / "ours", "a")
    shutil.copytree(tmp_path / "ours", tmp_path / "copy")
    written = json.loads((tmp_path / "copy" / NAME).read_text())
    (tmp_path / "copy" / NAME).write_text(json.dumps(written | {"root": "another"}))
    _change(database, "b")
    with pytest.raises(NeedsOperator, match=r"is another root: .*last published below"):
        publish(database, str(tmp_path / "copy"))


def test_a_root_is_the_same_by_another_spelling_and_where_all_its_files_were_moved(
    database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path / "ours", "a")
    (tmp_path / "linked").symlink_to(tmp_path / "ours")
    for number, url in enumerate((f"{tmp_path}/ours/", f"file://{tmp_path}/ours", f"{tmp_path}/linked")):
        _change(database, f"b{number}")
        assert publish(database, url).records == 1
    (tmp_path / "ours").rename(tmp_path / "moved")
    _change(database, "c")
    assert publish(database, str(tmp_path / "moved")).records == 1
    assert verification.verify(database, str(tmp_path / "moved"), "tags", from_start=True).faults == []


def test_an_older_copy_of_the_root_is_refused_also_for_streams_that_it_has(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path / "ours", "a")
    shutil.copytree(tmp_path / "ours", tmp_path / "copy")
    _publish(database, tmp_path / "ours", "b")
    switches.start(database, "sources")
    with database.connect() as connection:
        connection.execute(SOURCE)
    before = _files(tmp_path)
    for act in (publish, compact):
        with pytest.raises(NeedsOperator, match="tags lacks 1, such as tags/history/"):
            act(database, str(tmp_path / "copy"))
    assert _files(tmp_path) == before


def test_a_root_that_was_moved_without_the_files_of_a_stream_is_refused_for_that_stream(
    database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a")
    switches.start(database, "sources")
    shutil.rmtree(tmp_path / "tags")
    _change(database, "b")
    with database.connect() as connection:
        connection.execute(SOURCE)
    for act in (publish, compact):
        with pytest.raises(NeedsOperator, match=r"tags \(needs a person\): No file of the stream tags is below"):
            act(database, str(tmp_path))
    assert not (tmp_path / "tags").exists()
    assert reading.next_offset(database, "sources") == 1, "the other stream goes on"


def test_a_root_is_adopted_once_the_files_are_there(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path / "ours", "a")
    new = tmp_path / "new"
    with pytest.raises(NeedsOperator, match="tags lacks 1, such as tags/history/"):
        adopt(database, str(new))
    assert not new.exists()
    shutil.copytree(tmp_path / "ours" / "tags", new / "tags")
    assert adopt(database, str(new)) == []
    _change(database, "b")
    assert publish(database, str(new)).records == 1
    _change(database, "c")
    with pytest.raises(NeedsOperator, match="is another root"):
        publish(database, str(tmp_path / "ours"))


def test_an_incomplete_root_may_be_adopted_and_stops_only_what_lacks_files(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path / "ours", "a")
    assert adopt(database, str(tmp_path / "new"), is_incomplete=True) == []
    _change(database, "b")
    with pytest.raises(NeedsOperator, match="No file of the stream tags"):
        publish(database, str(tmp_path / "new"))


def test_the_doctor_names_a_root_that_is_not_that_of_the_database(database: Store, tmp_path: Path) -> None:
    def found(root: Path) -> list[str]:
        named = examine(database, tmp_path / "spool", checks=[STREAM_ROOT], streams_url=str(root))
        return [finding.what for finding in named]

    assert found(tmp_path / "empty") == []
    _publish(database, tmp_path / "ours", "a")
    assert found(tmp_path / "ours") == []
    (other,) = found(tmp_path / "empty")
    assert "has no publisher.json" in other
    for part in (tmp_path / "ours" / "tags").rglob("*.parquet"):
        part.unlink()
    (lacking,) = found(tmp_path / "ours")
    assert "The stream tags lacks 1 files" in lacking


def test_a_compaction_claims_no_root_and_deletes_nothing_there(database: Store, tmp_path: Path) -> None:
    switches.start(database, "tags")
    publish(database, str(tmp_path / "nothing"))
    shutil.rmtree(tmp_path / "nothing")
    with database.connect() as connection:
        connection.execute("DELETE FROM stream_roots")
    (strange := tmp_path / "strange" / "tags" / "history").mkdir(parents=True)
    (strange / "file.parquet").touch()
    assert compact(database, str(tmp_path / "strange")).orphans == 0
    assert _files(tmp_path) == {str(strange / "file.parquet"): b""}


def test_one_bad_stream_stops_no_other_one(database: Store, tmp_path: Path) -> None:
    """Each that is bad begins anew, so that it reads its parts."""
    names = ("datasets", "sources", "tags")
    for name in names:
        switches.start(database, name)
    with database.connect() as connection:
        connection.execute(SOURCE)
    _publish(database, tmp_path, "a")
    _publish(database, tmp_path, "b")
    for part in (tmp_path / "sources" / "history").iterdir():
        part.write_bytes(b"damaged")
    for name in names:
        switches.stop(database, name)
        switches.start(database, name)
    _change(database, "c")
    outcome = publish_each(database, str(tmp_path))
    assert [(one.stream, one.records) for one in _records(outcome)] == [("tags", 1)]
    ((failed, kind, why),) = [(one.stream, one.kind, one.why) for one in outcome.failed]
    assert (failed, kind) == ("sources", "needs a person")
    assert "is damaged" in why
    _change(database, "d")
    with pytest.raises(NeedsOperator, match=r"1 stream was not published\. sources .* is damaged.*All others were"):
        publish(database, str(tmp_path))
    assert reading.next_offset(database, "tags") == 4
    with pytest.raises(NeedsOperator, match=r"1 stream was not compacted\. sources .* is damaged.*All others were"):
        compact(database, str(tmp_path))
    assert len(reading.describe(database, str(tmp_path), "tags").parts) == 1
    assert json.loads((tmp_path / NAME).read_text())["next_offsets"] == {"sources": 1, "tags": 4}


def test_what_was_published_is_noted_whatever_fails_later(database: Store, tmp_path: Path) -> None:
    class Fails(SerialRunner):
        def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
            yield from super().results(work, items)
            raise OSError("gone")

    _publish(database, tmp_path, "a")
    _change(database, "b")
    with pytest.raises(OSError, match="gone"):
        publish(database, str(tmp_path), Fails())
    assert json.loads((tmp_path / NAME).read_text())["next_offsets"] == {"tags": 2}


def test_a_head_that_did_not_move_after_it_was_noted_moves_in_the_next_publication(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _publish(database, tmp_path, "a")
    note = Publication.note

    def note_and_fail(self: Publication, moved: StreamHead) -> None:
        note(self, moved)
        raise TryAgain("just before the end")

    _change(database, "b")
    with monkeypatch.context() as patched:
        patched.setattr(Publication, "note", note_and_fail)
        with pytest.raises(TryAgain, match="just before the end"):
            publish(database, str(tmp_path))
    assert json.loads((tmp_path / NAME).read_text())["next_offsets"] == {"tags": 2}
    assert reading.next_offset(database, "tags") == 1
    assert publish(database, str(tmp_path)).records == 1


def test_a_head_that_moves_between_two_looks_at_the_database_is_no_loss(
    database: Store, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A compaction reads what is noted of a head, finds it where it was, and then moved."""
    _publish(database, tmp_path, "a")
    note, end, never_moved = Publication.note, Publication.end, publisher_file._never_moved
    looked, moved, refused = threading.Event(), threading.Event(), list[LineageError]()

    def compacting() -> None:
        try:
            compact(database, str(tmp_path))
        except LineageError as error:
            refused.append(error)

    compaction = threading.Thread(target=compacting)

    def note_and_be_seen(self: Publication, head: StreamHead) -> None:
        note(self, head)
        compaction.start()
        assert looked.wait(30)

    def look_later(*asked: Any) -> bool:
        looked.set()
        assert moved.wait(30)
        return never_moved(*asked)

    def end_later(self: Publication) -> None:
        moved.set()
        compaction.join()
        end(self)

    monkeypatch.setattr(Publication, "note", note_and_be_seen)
    monkeypatch.setattr(Publication, "end", end_later)
    monkeypatch.setattr(publisher_file, "_never_moved", look_later)
    _publish(database, tmp_path, "b")
    assert refused == []


def test_a_dump_of_a_moment_of_the_publication_that_was_killed_counts_as_earlier(
    database: Store, tmp_path: Path
) -> None:
    """The publication is the last one that the restored database knows, too."""
    _publish(database, tmp_path, "a")
    with database.connect() as connection:
        before = heads.head(connection, "tags")
        assert before
        connection.execute("CREATE TABLE kept AS TABLE stream_heads")
        connection.execute("CREATE TABLE kept_parts AS TABLE stream_parts")
    _publish(database, tmp_path, "b")
    with database.connect() as connection:
        (last,) = connection.execute("SELECT publication FROM stream_roots").fetchone() or ()
        connection.execute("DELETE FROM stream_heads")
        connection.execute("INSERT INTO stream_heads TABLE kept")
        connection.execute("DELETE FROM stream_parts")
        connection.execute("INSERT INTO stream_parts TABLE kept_parts")
    written = json.loads((tmp_path / NAME).read_text())
    moved = {"stream": "tags", "publication": last, "start_offset": 1, "version": before.version}
    (tmp_path / NAME).write_text(json.dumps(written | {"last": moved}))
    _change(database, "c")
    with pytest.raises(NeedsOperator, match="tags is at offset 1, and was at 2"):
        publish(database, str(tmp_path))


@pytest.mark.parametrize(
    ("kinds", "error"),
    [
        (["try again", "needs a person", "unforeseen"], TryAgain),
        (["needs a person", "unforeseen"], LineageError),
        (["needs a person", "needs a person"], NeedsOperator),
        (["try again"], TryAgain),
    ],
)
def test_several_failures_end_as_what_helps_any_of_them(kinds: list[FailureKind], error: type[LineageError]) -> None:
    failed = [FailedStream(f"s{number}", kind, "It broke.") for number, kind in enumerate(kinds)]
    with pytest.raises(LineageError) as raised:
        refuse_failed(failed, "published")
    assert type(raised.value) is error
    assert all(f"{one.stream} ({one.kind}): It broke" in str(raised.value).splitlines()[0] for one in failed)


def test_what_stops_the_run_is_no_failure_of_a_stream(database: Store) -> None:
    with database.connect(autocommit=True) as connection:
        failures = StreamFailures(connection)
        with pytest.raises(LeaseLost), failures.of("tags"):
            raise LeaseLost("gone")
        with failures.of("tags"):
            raise ValueError("unforeseen")
        connection.close()
        with pytest.raises(OSError, match="no connection"), failures.of("sources"):
            raise OSError("no connection")
    ((stream, kind),) = [(one.stream, one.kind) for one in failures.all()]
    assert (stream, kind) == ("tags", "unforeseen")


@dataclass(frozen=True)
class _Published:
    stream: str
    records: int


def _records(outcome: PublicationOutcome) -> list[_Published]:
    return [_Published(one.stream, one.next_offset - one.start_offset) for one in outcome.streams]
