"""Compaction of streams: what it does to files, checkpoints and schemas, and that no reader sees it (seed 004)."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from psycopg.conninfo import make_conninfo

from lineage_core.changelog.bins import BinSizes
from lineage_core.changelog.parts import read_part
from lineage_core.changelog.schemas import StreamSchemas
from lineage_core.declare.streams import all_streams
from lineage_core.errors import LeaseLost, NeedsOperator, ReaderFenced, TryAgain, WrongUsage
from lineage_core.evolution import MigrationType
from lineage_core.files import FileFolder
from lineage_core.local.postgres import Server
from lineage_core.operate import whole_store
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.leases import Lease, held_lease
from lineage_core.postgres.store import Store
from lineage_core.streams import compaction, publication, published_versions, reading, states, verification
from lineage_core.streams.arrow_records import data_schema
from lineage_core.streams.checkpointing import due_checkpoint
from lineage_core.streams.compaction import CompactionOutcome, compact
from lineage_core.streams.parts import MergedParts, MergeTask, stream_folder
from lineage_core.streams.publication import publish
from lineage_core.streams.store import compacted, heads, stream_files, switches
from lineage_core.tasks import DeferredRunner, Done, Item, SerialRunner, TaskRunner, Work
from tests.support.declared_streams import tags_without
from tests.support.stores import rows
from tests.support.stream_replay import all_stored, last_of, replayed_commits

pytestmark = pytest.mark.postgres

TAGS = next(stream for stream in all_streams() if stream.name == "tags")
TAG = """
INSERT INTO tags (uuid, created_at, updated_at, name, description)
VALUES (md5(%(name)s)::uuid, '2026-01-01', now(), %(name)s, %(text)s)
ON CONFLICT (name) DO UPDATE SET description = excluded.description
"""
AT_ONCE = timedelta(0)


def _publish(database: Store, root: Path, *names: str, text: str | None = None) -> None:
    """A part for each name."""
    switches.start(database, "tags")
    for name in names:
        with database.connect() as connection:
            connection.execute(TAG, {"name": name, "text": text})
        publish(database, str(root))


def _compact(database: Store, root: Path, **options: Any) -> CompactionOutcome:
    return compact(database, str(root), names=["tags"], **options)


def _parts(database: Store) -> list[heads.PublishedPart]:
    with database.connect() as connection:
        return heads.parts(connection, "tags")


def _checkpoint(database: Store, root: Path) -> reading.ListedCheckpoint:
    found = reading.describe(database, str(root), "tags").checkpoint
    assert found is not None
    return found


def _records(database: Store, root: Path, since: int = 0) -> list[dict[str, Any]]:
    return list(reading.records(database, str(root), "tags", since))


def _replayed(database: Store, root: Path, at: int | None = None) -> list[str]:
    to = root / "state.parquet"
    states.write_replayed(database, str(root), "tags", to, at)
    return sorted(map(str, pq.read_table(to).to_pylist()))


def _files(root: Path) -> set[str]:
    return {str(file.relative_to(root)) for file in root.rglob("*/*.parquet*")}


def _faults(database: Store, root: Path) -> list[str]:
    return [
        *verification.verify(database, str(root), "tags").faults,
        *verification.verify(database, str(root), "tags", from_start=True).faults,
    ]


def test_small_parts_become_one_and_no_reader_sees_it(database: Store, tmp_path: Path) -> None:
    """Nor one that travels in time, wherever its checkpoint is."""
    _publish(database, tmp_path, "a", "b", "a", "c", text="x")
    _publish(database, tmp_path, "a", "b", text="y")

    def seen() -> list[Any]:
        return [
            _records(database, tmp_path),
            _records(database, tmp_path, since=2),
            [_replayed(database, tmp_path, at) for at in (0, 1, 2, 4, 6, None)],
            list(replayed_commits(database, tmp_path, TAGS)),
        ]

    before = seen()
    done = _compact(database, tmp_path)
    (one,) = done.streams
    (part,) = _parts(database)
    assert (one.parts_before, one.parts_after, one.bytes_after) == (5, 1, part.bytes)
    assert (done.bytes_before, done.bytes_after) == (one.bytes_before, one.bytes_after)
    assert one.bytes_before > one.bytes_after
    assert one.checkpoint == _checkpoint(database, tmp_path).next_offset == 7
    assert seen() == before
    assert _faults(database, tmp_path) == []
    _publish(database, tmp_path, "c", text="z")
    assert _replayed(database, tmp_path, 6) == before[2][-1]
    assert _replayed(database, tmp_path) != before[2][-1]
    assert _faults(database, tmp_path) == []
    assert _compact(database, tmp_path).streams[0].parts_before == 2
    assert _compact(database, tmp_path).streams == ()


def test_a_pair_is_not_split_and_a_state_within_it_is_refused(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", text="x")
    _publish(database, tmp_path, "a", "b", text="y")
    _compact(database, tmp_path)
    (part,) = _parts(database)
    assert part.commit_ends == [0, 2, 3]
    assert [record["op"] for record in _records(database, tmp_path)] == [0, 2, 3, 0]
    with pytest.raises(WrongUsage, match="record 1 of the stream tags is a -C, and 2 is its"):
        _replayed(database, tmp_path, 1)
    with pytest.raises(WrongUsage, match="has no record 4"):
        _replayed(database, tmp_path, 4)


def test_a_replay_begins_at_the_checkpoint(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b", text="x")
    _compact(database, tmp_path)
    _publish(database, tmp_path, "a", text="y")
    wanted = _replayed(database, tmp_path)
    (tmp_path / _parts(database)[0].path).unlink()
    assert _replayed(database, tmp_path) == wanted
    with pytest.raises(NeedsOperator, match="is not there"):
        _replayed(database, tmp_path, 0)
    assert "is not there" in verification.verify(database, str(tmp_path), "tags").faults[0]


def test_a_publication_that_begins_anew_begins_at_the_checkpoint(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b", text="x")
    _compact(database, tmp_path)
    (tmp_path / _parts(database)[0].path).unlink()
    switches.stop(database, "tags")
    _publish(database, tmp_path, "b", "c", text="y")
    assert [(one["op"], one["name"]) for one in _records(database, tmp_path, since=2)] == [(2, "b"), (3, "b"), (0, "c")]


def test_a_checkpoint_that_says_something_else_is_found(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b", text="x")
    _compact(database, tmp_path)
    with database.connect() as connection:
        connection.execute("UPDATE stream_checkpoints SET next_offset = 1")
    assert "is not what the records below offset 1 give" in " ".join(_faults(database, tmp_path))


def test_a_checkpoint_is_sorted_by_its_key_and_made_anew_for_enough_records(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, *(f"{number}" for number in range(3)))
    with database.connect() as connection:
        for number in range(3, 30):
            connection.execute(TAG, {"name": f"{number}", "text": None})
    publish(database, str(tmp_path))
    _compact(database, tmp_path)
    found = _checkpoint(database, tmp_path)
    table = pq.read_table(found.path)
    assert (found.rows, found.is_ordered, found.reordered_by) == (30, True, None)
    assert table.column_names == ["event_time", "uuid", "created_at", "name", "description"]
    assert table.column("uuid").to_pylist() == sorted(table.column("uuid").to_pylist())
    _publish(database, tmp_path, "3", text="x")
    assert _compact(database, tmp_path).streams[0].checkpoint is None
    _publish(database, tmp_path, "4", text="x")
    assert _compact(database, tmp_path).streams[0].checkpoint == 34
    assert not (tmp_path / "lineage_events").exists()


def test_a_log_needs_no_checkpoint() -> None:
    """Its state is all that it has."""
    log = next(stream for stream in all_streams() if stream.is_log)
    part = heads.PublishedPart(0, 9, 0, "", 1, "", "", [9])
    schemas = StreamSchemas(log.name, (MigrationType.of(data_schema(log)),))
    assert due_checkpoint("", log, schemas, [part], None) is None
    assert due_checkpoint("", replace(log, captured=("a table",)), schemas, [part], None) is not None


def _evolve(database: Store) -> None:
    whole_store.upgrade(database)


@pytest.fixture
def evolved(database: Store, tmp_path: Path) -> Iterator[Path]:
    """Two parts of the first schema, and two of one without `description`, which is declared from then on."""
    _publish(database, tmp_path, "a", "b", text="x")
    with tags_without("description"):
        _evolve(database)
        _publish(database, tmp_path, "c", "d")
        yield tmp_path


def test_compaction_converts_runs_of_different_data_types_to_one(evolved: Path, database: Store) -> None:
    before = _records(database, evolved)
    assert [part.schema_id for part in _parts(database)] == [0, 0, 1, 1]
    _compact(database, evolved)
    (part,) = _parts(database)
    assert part.schema_id == 1
    assert "description" not in pq.read_table(evolved / part.path).column_names
    assert _records(database, evolved) == before
    assert _faults(database, evolved) == []


def test_it_may_lose_what_was_deleted_and_who_depends_on_that_was_fenced_before(evolved: Path, database: Store) -> None:
    """So no one sees a difference: what is read depends on the schemas, and not on what was compacted."""
    known = reading.reader_schema(database, "tags", 0)
    projection = reading.reader_schema(database, "tags", 0, ["name"])

    def read(schema: Any) -> list[dict[str, Any]]:
        return list(reading.records(database, str(evolved), "tags", reader_schema=schema))

    before = read(projection)
    for _ in range(2):
        with pytest.raises(ReaderFenced, match="description"):
            read(known)
        _compact(database, evolved)
    assert read(projection) == before


class _Meanwhile(SerialRunner):
    """Writes as usual, once something else has happened."""

    def __init__(self, happens: Callable[[], None]) -> None:
        super().__init__()
        self._happens = happens

    def results(self, work: Work[Item, Done], items: Sequence[Item]) -> Iterator[Done]:
        if any(isinstance(item, MergeTask) for item in items):
            self._happens()
        yield from super().results(work, items)


def test_the_schema_is_the_latest_when_the_compaction_was_requested(database: Store, tmp_path: Path) -> None:
    """Its output is right, too, if the stream evolves before it is there."""
    _publish(database, tmp_path, "a", "b", text="x")
    with tags_without("description"):
        _compact(database, tmp_path, runner=_Meanwhile(lambda: _evolve(database)))
        (part,) = _parts(database)
        assert part.schema_id == 0
        assert pq.read_table(tmp_path / part.path).column("description").to_pylist() == ["x", "x"]
        assert "description" not in _records(database, tmp_path)[0]
        _publish(database, tmp_path, "c")
        assert _faults(database, tmp_path) == []


def test_who_sees_its_output_has_seen_that_schema(evolved: Path, database: Store) -> None:
    """Every snapshot that has the part has the schema."""
    seen = []
    swapped = compacted.swap_parts

    def swap(connection: Connection, *given: Any) -> None:
        seen.append(published_versions.published_version(database, "tags"))
        swapped(connection, *given)
        seen.append(published_versions.published_version(database, "tags"))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(compacted, "swap_parts", swap)
        _compact(database, evolved)
    assert [len(version.parts) for version in seen] == [4, 1]
    assert all(part.schema_id <= (version.schemas.latest_id or 0) for version in seen for part in version.parts)


def test_a_deletion_that_breaks_the_order_is_tagged_and_a_later_run_puts_it_in_order(
    database: Store, tmp_path: Path
) -> None:
    """Without a key, rows are in the order of all columns."""
    with database.connect() as connection:
        connection.execute("DELETE FROM stream_schemas WHERE stream = 'tags'")
    with tags_without(key=()):
        _evolve(database)
        _publish(database, tmp_path, "a", "b", "c", "d", "e", "f", text="x")
        _compact(database, tmp_path)
        found = _checkpoint(database, tmp_path)
        assert found.is_ordered
        before = pq.read_table(found.path).column("name").to_pylist()
    with tags_without("uuid", key=()):
        _evolve(database)
        assert [one.checkpoint for one in _compact(database, tmp_path).streams] == [6]
        found = _checkpoint(database, tmp_path)
        assert (found.schema_id, found.is_ordered, found.reordered_by) == (1, False, 1)
        assert pq.read_table(found.path).column("name").to_pylist() == before != sorted(before)
        assert len(_replayed(database, tmp_path)) == 6
        _compact(database, tmp_path)
        found = _checkpoint(database, tmp_path)
        assert (found.schema_id, found.is_ordered, found.reordered_by) == (1, True, 1)
        assert pq.read_table(found.path).column("name").to_pylist() == sorted(before)
        assert _compact(database, tmp_path).streams == ()
        _publish(database, tmp_path, "g", text="x")
        _compact(database, tmp_path)
        assert _checkpoint(database, tmp_path).reordered_by == 1, "the answer stays"
        assert _faults(database, tmp_path) == []


def test_a_deletion_at_the_end_keeps_the_order(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b", text="x")
    _compact(database, tmp_path)
    with tags_without("description"):
        _evolve(database)
        _compact(database, tmp_path)
        found = _checkpoint(database, tmp_path)
        assert (found.is_ordered, found.reordered_by) == (True, None)
        assert len(_replayed(database, tmp_path)) == 2


def test_a_reader_with_a_list_of_parts_still_finds_them_until_the_grace_time_is_over(
    database: Store, tmp_path: Path
) -> None:
    _publish(database, tmp_path, "a", "b")
    listed = _parts(database)
    assert _compact(database, tmp_path).deleted == 0
    assert _compact(database, tmp_path, grace=timedelta(hours=1)).deleted == 0
    for part in listed:
        assert len(read_part(stream_folder(FileFolder(str(tmp_path)), "tags"), part.file("tags"))) == 1
    assert verification.verify(database, str(tmp_path), "tags").orphans == []
    with database.connect() as connection:
        connection.execute("UPDATE removed_stream_files SET removed_at = now() - interval '1 hour'")
    assert _compact(database, tmp_path, grace=timedelta(hours=1)).deleted == 2
    assert _files(tmp_path).isdisjoint(part.path for part in listed)
    assert rows(database, "SELECT count(*), count(deleted_at) FROM removed_stream_files") == [(2, 2)]
    _compact(database, tmp_path, grace=AT_ONCE)
    assert rows(database, "SELECT count(*) FROM removed_stream_files") == [(0,)]
    assert _faults(database, tmp_path) == []


def test_what_killed_runs_have_left_is_deleted_after_the_grace_time(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a")
    left = [tmp_path / "tags/history/orphan.parquet", tmp_path / "tags/checkpoint/0.parquet.1b"]
    for file in left:
        file.parent.mkdir(exist_ok=True)
        file.write_bytes(b"left")
    assert verification.verify(database, str(tmp_path), "tags").orphans == ["0.parquet.1b", "orphan.parquet"]
    done = _compact(database, tmp_path)
    assert (done.orphans, done.deleted) == (2, 0)
    assert verification.verify(database, str(tmp_path), "tags").orphans == []
    done = _compact(database, tmp_path, grace=AT_ONCE)
    assert (done.orphans, done.deleted) == (0, 2)
    assert not any(file.exists() for file in left)


def test_a_file_that_is_taken_for_an_orphan_may_still_come_into_the_stream(database: Store, tmp_path: Path) -> None:
    """As that of a publisher between its part and its commit; unless it may be deleted already."""
    _publish(database, tmp_path, "a")
    with database.connect() as connection:
        connection.execute(TAG, {"name": "b", "text": None})
    task = publication.PublicationTask(database, str(tmp_path), "tags")
    written = publication.write_records(task)
    assert _compact(database, tmp_path).orphans == 1
    with database.connect(autocommit=True) as connection, held_lease(database, heads.PUBLISH) as lease:
        heads.move(connection, lease, written)
    assert rows(database, "SELECT count(*) FROM removed_stream_files") == [(0,)]
    _compact(database, tmp_path, grace=AT_ONCE)
    assert _faults(database, tmp_path) == []
    with database.connect() as connection:
        connection.execute(TAG, {"name": "c", "text": None})
    written = publication.write_records(task)
    _compact(database, tmp_path, grace=timedelta(days=1))
    with database.connect(autocommit=True) as connection, held_lease(database, heads.PUBLISH) as lease:
        connection.execute("UPDATE removed_stream_files SET deleted_at = now() WHERE bytes IS NULL")
        with pytest.raises(TryAgain, match="are being deleted"):
            heads.move(connection, lease, written)
    assert publish(database, str(tmp_path)).records == 1
    assert _faults(database, tmp_path) == []


def test_a_file_of_a_stream_is_never_deleted_whatever_is_noted(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b")
    _compact(database, tmp_path)
    with database.connect() as connection:
        for table in ("stream_parts", "stream_checkpoints"):
            connection.execute(f"INSERT INTO removed_stream_files (stream, path) SELECT stream, path FROM {table}")
    assert _compact(database, tmp_path, grace=AT_ONCE).deleted == 2
    assert _faults(database, tmp_path) == []


def test_what_has_changed_meanwhile_stays(database: Store, tmp_path: Path) -> None:
    """One of two compactions, and none that has lost its lease, changes the stream."""
    _publish(database, tmp_path, "a", "b")
    version = published_versions.published_version(database, "tags")
    task = MergeTask(str(tmp_path), "tags", 0, version.schemas.to_latest(), tuple(version.parts))
    late: MergedParts = task.write()
    due = due_checkpoint(str(tmp_path), TAGS, version.schemas, version.parts, None)
    assert due is not None
    checkpoint = due.write()
    assert _compact(database, tmp_path).streams
    _publish(database, tmp_path, "c")
    assert _compact(database, tmp_path).streams
    before = (_parts(database), _checkpoint(database, tmp_path))
    with database.connect(autocommit=True) as connection:
        old = Lease(compaction.COMPACT, 1)
        with pytest.raises(LeaseLost):
            compacted.swap_parts(connection, old, "tags", late.parts, late.into)
        with pytest.raises(LeaseLost):
            compacted.replace_checkpoint(connection, old, "tags", None, checkpoint.new)
        with pytest.raises(LeaseLost):
            stream_files.note_orphans(connection, old, "tags", ["tags/history/x"])
        with pytest.raises(LeaseLost):
            stream_files.deletable(connection, old, "tags", AT_ONCE)
        with held_lease(database, compaction.COMPACT) as lease:
            with pytest.raises(TryAgain, match="have changed meanwhile"):
                compacted.swap_parts(connection, lease, "tags", late.parts, late.into)
            with pytest.raises(TryAgain, match="another checkpoint"):
                compacted.replace_checkpoint(connection, lease, "tags", None, checkpoint.new)
    assert (_parts(database), _checkpoint(database, tmp_path)) == before
    assert _faults(database, tmp_path) == []


def test_a_stream_is_published_while_it_is_compacted(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b")

    def published() -> None:
        _publish(database, tmp_path, "c")

    _compact(database, tmp_path, runner=_Meanwhile(published))
    assert [(part.start_offset, part.end_offset) for part in _parts(database)] == [(0, 1), (2, 2)]
    assert last_of(database, tmp_path, TAGS) == all_stored(database)["tags"]
    assert _faults(database, tmp_path) == []


def test_streams_of_a_database_that_was_restored_elsewhere_stay(database: Store, tmp_path: Path) -> None:
    """Whose files they are is known when this database has published them."""
    _publish(database, tmp_path, "a", "b")
    with database.connect() as connection:
        connection.execute("UPDATE stream_heads SET system_identifier = system_identifier + 1")
    there = _files(tmp_path)
    done = _compact(database, tmp_path, grace=AT_ONCE)
    assert (done.elsewhere, done.streams) == (("tags",), ())
    assert _files(tmp_path) == there
    _publish(database, tmp_path, "c")
    assert _compact(database, tmp_path).streams[0].parts_before == 3


def test_few_bytes_are_written_where_the_compaction_runs(database: Store, tmp_path: Path) -> None:
    _publish(database, tmp_path, "a", "b")

    def not_here() -> TaskRunner:
        raise AssertionError("the runner is asked for")

    runner = DeferredRunner(not_here)

    with pytest.raises(AssertionError, match="is asked for"):
        _compact(database, tmp_path, runner=runner, few=100)
    assert _compact(database, tmp_path, runner=runner, few=1 << 20).streams


def test_a_checkpoint_that_may_not_fit_into_memory_is_not_made(database: Store, tmp_path: Path) -> None:
    """Parts are merged all the same, and the stream is named."""
    _publish(database, tmp_path, "a", "b")
    done = _compact(database, tmp_path, most=100)
    assert (done.too_large, done.streams[0].checkpoint) == (("tags",), None)
    assert done.streams[0].parts_after == 1
    assert last_of(database, tmp_path, TAGS) == all_stored(database)["tags"]
    assert _compact(database, tmp_path).too_large == ()


def test_a_stream_that_there_is_not_is_refused(database: Store, tmp_path: Path) -> None:
    with pytest.raises(WrongUsage):
        compact(database, str(tmp_path), names=["moons"])
    with pytest.raises(WrongUsage, match="least number"):
        BinSizes(least_parts=1)
    assert compact(database, str(tmp_path)).streams == ()


def test_jobs_may_compact_and_readers_may_not(database: Store, tmp_path: Path, postgres_server: Server) -> None:
    _publish(database, tmp_path, "a", "b")
    logins = {}
    for purpose in ("jobs", "reader"):
        name = f"compaction_{purpose}"
        postgres_server.run_sql(
            f"DROP ROLE IF EXISTS {name}; CREATE ROLE {name} LOGIN PASSWORD 'x' IN ROLE lineage_{purpose};"
        )
        logins[purpose] = make_conninfo(database.dsn, user=name, password="x", passfile="")
    with pytest.raises(NeedsOperator, match="takes the role lineage_jobs"):
        _compact(Store(logins["reader"]), tmp_path)
    assert _compact(Store(logins["jobs"]), tmp_path).streams[0].parts_after == 1
    assert _compact(Store(logins["jobs"]), tmp_path, grace=AT_ONCE).deleted == 2
    assert _faults(Store(logins["reader"]), tmp_path) == []
