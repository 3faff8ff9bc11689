"""A stream in a folder that is published, read as it was, evolved, compacted and cleaned up by its own methods."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from lineage_core import files
from lineage_core.changelog import Append, BinSizes, Ledger, Snapshot, StreamFolder, UpsertStream, folder_log, validate
from lineage_core.errors import NeedsOperator, ReaderFenced, SchemaRefused, TryAgain, WrongUsage
from lineage_core.files import FileFolder

BY_ID = Snapshot(("id",))
SMALL = pa.schema([("id", pa.int64()), ("name", pa.string())])
WITH_CITY = pa.schema([("city", pa.string()), *SMALL])
START = datetime(2026, 11, 1, tzinfo=UTC)


@pytest.fixture
def stream(tmp_path: Path) -> StreamFolder:
    return StreamFolder(FileFolder(str(tmp_path)).below("people"), "people")


def people(*names: str, **more: list[Any]) -> pa.Table:
    return pa.table({"id": list(range(len(names))), "name": list(names), **more})


def at(minutes: float) -> datetime:
    return START + timedelta(minutes=minutes)


def names(stream: StreamFolder, **when: Any) -> list[str | None]:
    return [row["name"] for row in stream.state(**when).to_pylist()]


def three_commits(stream: StreamFolder) -> StreamFolder:
    stream.publish(BY_ID, people("Ann", "Bob"), at(0))
    stream.publish(BY_ID, people("Ann", "Eve"), at(1))
    stream.publish(BY_ID, people("Ann", "Eve", "Io"), at(2))
    return stream


def test_what_differs_is_published_and_a_repeat_is_not(stream: StreamFolder) -> None:
    first = stream.publish(BY_ID, people("Ann", "Bob"), at(0))
    assert stream.publish(BY_ID, people("Ann", "Bob"), at(1)) == first == stream.head()
    second = stream.publish(BY_ID, people("Ann", "Eve"), at(2))
    assert stream.records(second)["op"].to_pylist() == [0, 0, 2, 3]
    assert names(stream) == ["Ann", "Eve"]
    validate(stream.records(second), None, ["id"], expected_offset=0)


@pytest.mark.parametrize("strategy", [Append(), Ledger(("id",)), UpsertStream(("id",)), Snapshot()])
def test_each_strategy_publishes(stream: StreamFolder, strategy: Any) -> None:
    assert stream.publish(strategy, people("Ann", "Bob"), at(0)).next_offset == 2
    assert stream.head().key == strategy.primary_key
    assert {*names(stream)} == {"Ann", "Bob"}


def test_a_stream_that_has_no_records_has_no_state(stream: StreamFolder) -> None:
    for ask in (stream.state, lambda: stream.records(stream.head()), stream.checkpoint):
        with pytest.raises(WrongUsage, match="has no records yet"):
            ask()
    assert stream.publish(BY_ID, people().cast(SMALL)).commits == 0
    assert (stream.compact().commits, stream.clean_up()) == (0, 0)


def test_another_key_than_the_first_is_refused(stream: StreamFolder) -> None:
    head = stream.publish(BY_ID, people("Ann"))
    with pytest.raises(SchemaRefused, match=r"The key is \(id\)"):
        stream.publish(Snapshot(("name",)), people("Ann"))
    assert stream.head() == head


def test_of_two_publications_at_once_one_is_refused(stream: StreamFolder, monkeypatch: pytest.MonkeyPatch) -> None:
    before, head = StreamFolder(stream.folder, "people"), stream.head()
    first = stream.publish(BY_ID, people("Ann"), at(0))
    monkeypatch.setattr(StreamFolder, "head", lambda _: head)
    with pytest.raises(TryAgain, match="has moved meanwhile; nothing was published"):
        before.publish(BY_ID, people("Bob"), at(0))
    monkeypatch.undo()
    assert stream.head() == first


class TestTime:
    @pytest.mark.parametrize(
        ("span", "offsets"),
        [
            ({}, [0, 1, 2, 3, 4]),
            ({"since": 3}, [3, 4]),
            ({"since": 1, "until": 3}, [1, 2]),
            ({"since": at(1)}, [2, 3, 4]),
            ({"since": at(0.5), "until": at(2)}, [2, 3]),
            ({"until": at(0)}, []),
            ({"since": at(2.5)}, []),
            ({"since": 4, "until": at(1)}, []),
            ({"since": 99}, []),
        ],
    )
    def test_records_are_read_by_offset_and_by_time(
        self, stream: StreamFolder, span: dict[str, Any], offsets: list[int]
    ) -> None:
        head = three_commits(stream).head()
        assert stream.records(head, **span)["offset"].to_pylist() == offsets

    @pytest.mark.parametrize(
        ("when", "found"),
        [
            (at(0), ["Ann", "Bob"]),
            (at(0.9), ["Ann", "Bob"]),
            (at(1), ["Ann", "Eve"]),
            (at(9), ["Ann", "Eve", "Io"]),
            (0, ["Ann"]),
            (3, ["Ann", "Eve"]),
            (at(-1), []),
        ],
    )
    @pytest.mark.parametrize("has_checkpoint", [False, True])
    def test_a_state_is_given_as_it_was(
        self, stream: StreamFolder, when: int | datetime, found: list[str], has_checkpoint: bool
    ) -> None:
        stream.publish(BY_ID, people("Ann", "Bob"), at(0))
        stream.publish(BY_ID, people("Ann", "Eve"), at(1))
        if has_checkpoint:
            stream.checkpoint(at(1))
        stream.publish(BY_ID, people("Ann", "Eve", "Io"), at(2))
        assert names(stream, at=when) == found

    def test_a_moment_that_there_is_not_is_refused(self, stream: StreamFolder) -> None:
        head = three_commits(stream).head()
        for offset in (-1, 5):
            with pytest.raises(WrongUsage, match=f"has no record {offset}: 5 are published"):
                stream.state(at=offset)
        with pytest.raises(WrongUsage, match="The record 2 of the stream people is a -C, and 3 is its"):
            stream.state(at=2)
        with pytest.raises(WrongUsage, match="has no time zone"):
            stream.records(head, since=datetime(2026, 11, 1))  # noqa: DTZ001
        with pytest.raises(WrongUsage, match="-1 is no offset"):
            stream.records(head, since=-1)


class TestSchemas:
    def test_a_schema_evolves_and_old_parts_are_read_in_it(self, stream: StreamFolder) -> None:
        stream.publish(BY_ID, people("Ann"), at(0))
        head = stream.evolve(WITH_CITY, system_time=at(1))
        assert (head.next_offset, stream.schemas(head).latest_id) == (1, 1)
        assert stream.records(head).schema.names[-3:] == ["city", "id", "name"]
        assert stream.state()["city"].to_pylist() == [None]
        stream.publish(BY_ID, people("Ann", city=["Rome"]), at(2))
        assert stream.state()["city"].to_pylist() == ["Rome"]
        assert stream.records(stream.head())["op"].to_pylist() == [0, 2, 3]

    def test_a_column_that_is_dropped_is_gone_from_the_state_and_its_name_stays_taken(
        self, stream: StreamFolder
    ) -> None:
        stream.publish(BY_ID, people("Ann", city=["Rome"]), at(0))
        stream.evolve(SMALL)
        assert stream.state().column_names == ["event_time", "id", "name"]
        stream.publish(BY_ID, people("Eve"), at(1))
        assert names(stream) == ["Eve"]
        with pytest.raises(SchemaRefused, match="city"):
            stream.evolve(WITH_CITY)

    @pytest.mark.parametrize(
        ("schema", "refusal"),
        [
            (pa.schema([("id", pa.string()), ("name", pa.string())]), "id: "),
            (pa.schema([("name", pa.string())]), "id: It is part of the key"),
            (pa.schema([*SMALL, pa.field("n", pa.int64(), nullable=False)]), "n: "),
            (pa.schema([*SMALL, ("op", pa.int64())]), "op: Every stream has this column"),
        ],
    )
    def test_a_schema_that_may_not_follow_changes_nothing(
        self, stream: StreamFolder, schema: pa.Schema, refusal: str
    ) -> None:
        head = stream.publish(BY_ID, people("Ann"))
        with pytest.raises(SchemaRefused, match=refusal):
            stream.evolve(schema)
        assert stream.head() == head

    def test_the_schema_that_is_there_changes_nothing(self, stream: StreamFolder) -> None:
        head = stream.publish(BY_ID, people("Ann"))
        assert stream.evolve(SMALL) == head == stream.head()

    def test_a_schema_may_come_before_the_first_record(self, stream: StreamFolder) -> None:
        stream.evolve(WITH_CITY, ["id"])
        stream.publish(BY_ID, people("Ann", city=pa.nulls(1)))
        assert stream.state().to_pylist() == [{"event_time": None, "city": None, "id": 0, "name": "Ann"}]

    @pytest.mark.parametrize("table", [people("Ann", city=["Rome"]), people("Ann").drop_columns("name")])
    def test_a_table_of_another_schema_is_refused_with_what_to_do(self, stream: StreamFolder, table: pa.Table) -> None:
        head = stream.publish(BY_ID, people("Ann"))
        with pytest.raises(WrongUsage, match=r"differ in (city|name)\. Make the schema .* by `evolve`"):
            stream.publish(BY_ID, table)
        with pytest.raises(SchemaRefused, match="name: "):
            stream.publish(BY_ID, pa.table({"id": [0], "name": [1]}))
        assert stream.head() == head

    def test_a_table_may_have_its_columns_in_another_order_and_of_null_alone(self, stream: StreamFolder) -> None:
        stream.publish(BY_ID, people("Ann"), at(0))
        stream.publish(BY_ID, pa.table({"name": pa.nulls(1), "id": [0]}), at(1))
        assert names(stream) == [None]

    def test_a_reader_is_right_or_fenced(self, stream: StreamFolder) -> None:
        stream.publish(BY_ID, people("Ann", city=["Rome"]), at(0))
        known = stream.schemas(stream.head()).schema(0)
        head = stream.evolve(SMALL)
        assert stream.records(head, reader_schema=SMALL)["name"].to_pylist() == ["Ann"]
        with pytest.raises(ReaderFenced, match="city"):
            stream.records(head, reader_schema=known)

    def test_a_folder_of_an_earlier_release_gets_the_schemas_of_its_parts(self, stream: StreamFolder) -> None:
        """Its commits list parts, and nothing else."""
        stream.publish(BY_ID, people("Ann"), at(0))
        commit = Path(stream.folder.url) / "commits" / f"{0:020d}.json"
        values = json.loads(commit.read_bytes())
        commit.write_text(json.dumps({name: values[name] for name in ("system_time", "parts")}))
        assert (stream.head().schemas.types, stream.head().key) == ((), None)
        assert names(stream) == ["Ann"]
        head = stream.publish(BY_ID, people("Eve"), at(1))
        assert (len(head.schemas.types), head.key, names(stream)) == (1, ("id",), ["Eve"])
        assert stream.head() == head


class TestUpkeep:
    def test_compaction_changes_files_and_no_record(self, stream: StreamFolder) -> None:
        before = stream.records(three_commits(stream).head())
        head = stream.compact()
        assert len(head.parts) == 1
        assert stream.head() == head
        assert stream.records(head).equals(before)
        assert stream.compact() == head
        stream.publish(BY_ID, people("Ann"), at(3))
        assert names(stream) == ["Ann"]

    def test_compaction_writes_the_latest_schema(self, stream: StreamFolder) -> None:
        three_commits(stream).evolve(WITH_CITY)
        (part,) = stream.compact().parts
        assert part.schema_id == 1
        assert set(stream.state()["city"].to_pylist()) == {None}

    def test_parts_that_are_large_stay(self, stream: StreamFolder) -> None:
        head = three_commits(stream).head()
        assert stream.compact(BinSizes(records=2)) == head

    @pytest.mark.parametrize("upkeep", [StreamFolder.compact, StreamFolder.checkpoint])
    def test_what_is_published_meanwhile_stays(
        self, stream: StreamFolder, upkeep: Any, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        heads = [three_commits(stream).head()]
        heads.append(stream.publish(BY_ID, people("Ann"), at(3)))
        monkeypatch.setattr(StreamFolder, "head", lambda _: heads.pop(0))
        upkeep(stream)
        monkeypatch.undo()
        assert stream.head().next_offset == 7
        assert names(stream) == ["Ann"]

    def test_parts_that_another_process_has_merged_meanwhile_stay_as_they_are(
        self, stream: StreamFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        """The other one has merged them in another schema, so into another part."""
        heads = [three_commits(stream).head()]
        stream.evolve(WITH_CITY)
        heads.append(stream.compact())
        monkeypatch.setattr(StreamFolder, "head", lambda _: heads.pop(0))
        assert stream.compact().parts == StreamFolder(stream.folder, "people")._log.head().parts
        monkeypatch.undo()
        assert names(stream) == ["Ann", "Eve", "Io"]

    def test_a_checkpoint_is_where_a_state_begins(self, stream: StreamFolder) -> None:
        head = three_commits(stream).checkpoint()
        assert head.checkpoint is not None
        assert stream.checkpoint() == head
        for part in head.parts:
            files.remove_file(stream.history.file(part.name))
        assert names(stream, head=head, at=4) == ["Ann", "Eve", "Io"]
        with pytest.raises(NeedsOperator, match="it is not there"):
            stream.state(at=3)

    def test_a_checkpoint_that_is_damaged_is_reported(self, stream: StreamFolder) -> None:
        checkpoint = three_commits(stream).checkpoint().checkpoint
        assert checkpoint is not None
        files.replace(stream.folder.below("checkpoints").file(checkpoint.name), b"x")
        with pytest.raises(NeedsOperator, match="is damaged"):
            stream.state()

    def test_what_the_stream_no_longer_has_goes_after_the_grace(self, stream: StreamFolder) -> None:
        three_commits(stream).checkpoint(at(2))
        stream.publish(BY_ID, people("Ann"), at(3))
        stream.checkpoint(at(4))
        stream.compact(system_time=at(5))
        before = stream.records(stream.head())
        grace = timedelta(minutes=10)
        assert stream.clean_up(grace, now=at(6)) == 0
        assert len(there(stream, "history")) == 5
        assert stream.clean_up(grace, now=at(14.5)) == 1  # the first checkpoint
        assert stream.clean_up(grace, now=at(16)) == 4
        assert (len(there(stream, "history")), len(there(stream, "checkpoints"))) == (1, 1)
        assert stream.clean_up(grace, now=at(17)) == 0
        assert stream.records(stream.head()).equals(before)
        assert stream.head().left == ()

    def test_parts_of_writers_that_were_interrupted_go_after_the_grace(self, stream: StreamFolder) -> None:
        three_commits(stream)
        orphan = Path(stream.folder.url) / "history" / "orphan.parquet"
        orphan.write_bytes(b"")
        assert stream.clean_up() == 0
        two_days_ago = (datetime.now(UTC) - timedelta(days=2)).timestamp()
        os.utime(orphan, (two_days_ago, two_days_ago))
        assert stream.clean_up() == 1
        assert len(there(stream, "history")) == 3

    def test_a_reader_opens_few_commits_however_many_there_are(
        self, stream: StreamFolder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(folder_log, "COMMITS_BETWEEN_HEADS", 10)
        for minute in range(10 + 5):
            stream.publish(BY_ID, people(str(minute)), at(minute))
        opened = list[str]()
        content = files.content
        monkeypatch.setattr(files, "content", lambda url: opened.append(url) or content(url))  # type: ignore[func-returns-value]
        head = stream.head()
        assert (head.commits, len(opened)) == (10 + 5, 6)

    def test_commits_that_a_kept_head_stands_for_go_after_the_grace(self, stream: StreamFolder) -> None:
        three_commits(stream)
        head = stream.head()
        stream.clean_up()
        for kept in (Path(stream.folder.url) / "heads").iterdir():
            os.utime(kept, (0, 0))
        stream.clean_up()
        assert there(stream, "commits") == []
        assert stream.head() == head
        assert stream.publish(BY_ID, people("Ann"), at(3)) == stream.head()
        assert names(stream) == ["Ann"]


def there(stream: StreamFolder, folder: str) -> list[str]:
    return files.files_in(stream.folder.below(folder))
