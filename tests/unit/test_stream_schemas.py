"""What may become of the schemas of a stream, and of its readers and writers (seed 004)."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pyarrow as pa
import pytest

from lineage_core.changelog import STANDARD, StreamPart, numbered, write_part
from lineage_core.changelog.schemas import EvolutionOutcome, StreamReader, StreamRule, StreamSchemas
from lineage_core.errors import NeedsOperator, ReaderFenced, SchemaRefused, WrongUsage
from lineage_core.evolution import EvolutionRule
from lineage_core.files import FileFolder
from lineage_core.streams.parts import MergeTask, published_tables, stream_folder
from lineage_core.streams.store.heads import PublishedPart
from tests.support.evolving_schemas import Numbered, Required, schema

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FIRST = schema(id=Required("int64"), name=Required("string"), city="string")


def evolved(*schemas: pa.Schema, key: Sequence[str] | None = None) -> StreamSchemas:
    found = StreamSchemas("moons")
    for one in schemas:
        evolution = found.evolved(found.latest_id, one, key=key)
        assert evolution.refusal is None, evolution.refusal
        found = evolution.schemas
    return found


def records(schema: pa.Schema, rows: Sequence[dict[str, object]], first: int = 0) -> pa.Table:
    data = pa.Table.from_pylist(list(rows), schema)
    return numbered(data.append_column("op", pa.array([0] * len(rows), pa.uint8())), first, NOW)


def test_an_empty_sequence_gets_its_initial_schema() -> None:
    evolution = StreamSchemas("moons").evolved(None, FIRST)
    assert (evolution.outcome, evolution.schema_id) == (EvolutionOutcome.INITIAL, 0)
    assert evolution.schemas.schema(0) == FIRST


def test_a_permitted_schema_is_added_as_the_latest_under_the_next_id() -> None:
    evolution = evolved(FIRST).evolved(0, schema(id=Required("int64"), name="string", moons="int8", city="string"))
    assert (evolution.outcome, evolution.schema_id) == (EvolutionOutcome.EVOLVED, 1)
    assert evolution.schemas.schema(0) == FIRST
    assert evolution.schemas.to_latest().schema().names == ["id", "name", "moons", "city"]


def test_the_same_schema_changes_nothing() -> None:
    found = evolved(FIRST)
    evolution = found.evolved(0, FIRST)
    assert (evolution.outcome, evolution.schemas) == (EvolutionOutcome.UNCHANGED, found)


def test_a_forbidden_schema_is_refused_by_path_and_rule_and_changes_nothing() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name=Required("string")))
    evolution = found.evolved(1, FIRST)
    assert (evolution.outcome, evolution.schemas) == (EvolutionOutcome.REFUSED, found)
    assert evolution.refusal is not None
    assert (evolution.refusal.path, evolution.refusal.rule) == ("city", EvolutionRule.DELETED_BEFORE)


@pytest.mark.parametrize("expected_id", [None, 0, 2])
@pytest.mark.parametrize("next_schema", [FIRST, schema(id="string")])
def test_a_stale_expectation_says_what_is_current_whatever_the_schema(
    expected_id: int | None, next_schema: pa.Schema
) -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name="string", city="string"))
    evolution = found.evolved(expected_id, next_schema)
    assert (evolution.outcome, evolution.schema_id, evolution.refusal) == (EvolutionOutcome.STALE, 1, None)
    assert evolution.schemas == found


def test_no_one_can_expect_an_id_of_an_empty_sequence() -> None:
    evolution = StreamSchemas("moons").evolved(0, FIRST)
    assert (evolution.outcome, evolution.schema_id) == (EvolutionOutcome.STALE, None)


@pytest.mark.parametrize(
    ("next_schema", "path"),
    [
        (schema(name=Required("string"), city="string"), "id"),
        (schema(id="int64", name=Required("string"), city="string"), "id"),
    ],
)
def test_the_key_stays_as_it_is(next_schema: pa.Schema, path: str) -> None:
    evolution = evolved(FIRST, key=["id"]).evolved(0, next_schema)
    assert evolution.refusal is not None
    assert (evolution.refusal.path, evolution.refusal.rule) == (path, StreamRule.KEY)
    assert evolved(FIRST).evolved(0, next_schema).refusal is None


@pytest.mark.parametrize("key", [(), ("name",), ("id", "name")])
def test_another_key_is_refused_though_no_column_changes(key: Sequence[str]) -> None:
    found = evolved(FIRST, key=["id"])
    refusal = found.evolved(0, FIRST, key=key).refusal
    assert refusal is not None
    assert (refusal.path, refusal.rule) == (f"({', '.join(key)})", StreamRule.KEY)
    assert "The key is (id)." in str(refusal)
    for same in (["id"], None):
        assert found.evolved(0, FIRST, key=same).outcome is EvolutionOutcome.UNCHANGED


def test_a_first_schema_without_its_key_is_refused() -> None:
    refusal = StreamSchemas("moons").evolved(None, FIRST, key=["place"]).refusal
    assert refusal is not None
    assert (refusal.path, refusal.rule) == ("place", StreamRule.KEY)


@pytest.mark.parametrize("name", ["offset", "op", "system_time", "event_time"])
def test_a_schema_is_of_the_data_columns_alone(name: str) -> None:
    refusal = StreamSchemas("moons").evolved(None, schema({name: "int64"})).refusal
    assert refusal is not None
    assert (refusal.path, refusal.rule) == (name, StreamRule.SYSTEM_COLUMN)


def test_a_reader_of_the_latest_schema_is_not_fenced_and_its_migration_is_a_noop() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), city="string"))
    assert found.to_reader(found.reader_schema()).is_noop


def test_a_reader_that_has_projected_a_column_away_is_not_fenced_by_its_changes() -> None:
    known = evolved(FIRST).reader_schema(0, ["id", "name"])
    for city in ({}, {"city": "string", "moons": "int8"}):
        found = evolved(FIRST, schema({"id": Required("int64"), "name": Required("string"), **city}))
        assert found.to_reader(known).schema().names == ["id", "name"]


def test_a_reader_of_a_column_that_was_not_null_is_fenced_when_it_is_made_nullable() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name="string", city="string"))
    with pytest.raises(ReaderFenced) as fenced:
        found.to_reader(found.reader_schema(0, ["name"]))
    assert (fenced.value.path, fenced.value.rule) == ("name", EvolutionRule.NULL_FORBIDDEN)
    assert found.to_reader(found.reader_schema(0, ["city"])).schema().names == ["city"]


def test_a_reader_of_a_column_is_fenced_when_it_is_deleted() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name=Required("string")))
    for known in (found.reader_schema(0), found.reader_schema(0, ["city"])):
        with pytest.raises(ReaderFenced) as fenced:
            found.to_reader(known)
        assert (fenced.value.path, fenced.value.rule) == ("city", EvolutionRule.DELETED_BEFORE)
    with pytest.raises(ReaderFenced):
        found.reader_schema(columns=["city"])


def test_a_reader_of_an_earlier_version_is_not_fenced_by_what_came_later() -> None:
    version = evolved(FIRST)
    later = version.evolved(0, schema(id=Required("int64"), name=Required("string"))).schemas
    assert version.to_reader(FIRST).is_noop
    with pytest.raises(ReaderFenced):
        later.to_reader(FIRST)


def test_a_column_that_never_was_is_wrong_usage() -> None:
    found = evolved(schema(id="int64", home={"city": "string", "zip": "string"}))
    assert found.reader_schema(columns=["home.city"]) == schema(home={"city": "string"})
    for column in ("moons", "home.moons", "id.moons", "mo`ons"):
        with pytest.raises(WrongUsage, match=column):
            found.reader_schema(columns=[column])
    with pytest.raises(WrongUsage, match="no schema 1"):
        found.reader_schema(1)
    with pytest.raises(NeedsOperator, match="no schema yet"):
        StreamSchemas("moons").reader_schema()


def test_an_evolution_that_would_fence_a_kept_reader_is_refused_and_names_it() -> None:
    found = evolved(FIRST)
    without_city = schema(id=Required("int64"), name=Required("string"))
    kept = [StreamReader("map", 0, ("city",)), StreamReader("list", 0, ("id",))]
    refusal = found.evolved(0, without_city, kept_readers=kept).refusal
    assert refusal is not None
    assert (refusal.path, refusal.rule) == ("city", StreamRule.FENCES)
    assert "map" in refusal.reason
    assert found.evolved(0, without_city, kept_readers=kept[1:]).refusal is None
    assert found.evolved(0, without_city, kept_readers=[StreamReader("all", 0, None)]).refusal is not None


def test_a_reader_that_is_fenced_already_holds_nothing_back() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name="string", city="string"))
    fenced = StreamReader("old", 0, ("name", "city"))
    without_city = schema(id=Required("int64"), name="string")
    assert found.fence_of(fenced) is not None
    assert found.evolved(1, without_city, kept_readers=[fenced]).refusal is None


def test_whether_a_column_is_read_counts_what_is_within_it_and_around_it() -> None:
    home = {"city": {"name": "string"}, "zip": "string"}
    found = evolved(schema(id="int64", home=home), schema(id="int64", home=home, homes="string"))
    asked = ("home", "home.city", "home.city.name", "home.zip", "homes")
    reader = StreamReader("map", 0, ("home.city",))
    assert [found.is_read(column, reader) for column in asked] == [True, True, True, False, False]
    assert [found.is_read(column, StreamReader("all", 0, None)) for column in asked] == [True, True, True, True, False]
    assert found.is_read("homes", StreamReader("all", 1, None))


def test_a_writer_with_a_stale_schema_is_migrated_at_the_write() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), moons="int8", name="string"))
    written = STANDARD.records_to_write(records(FIRST, [{"id": 1, "name": "Io", "city": "x"}]), found)
    assert written.select([0, 4, 5, 6]).to_pylist() == [{"offset": 0, "id": 1, "moons": None, "name": "Io"}]


@pytest.mark.parametrize(
    ("written", "path", "rule"),
    [
        (schema(id=Required("int64"), city="string"), "name", EvolutionRule.ADDED_NOT_NULL),
        (schema(id=Required("int64"), name="string", city="string"), "name", EvolutionRule.NULL_FORBIDDEN),
        (schema(id=Required("int64"), name=Required("string"), moons="int8"), "moons", StreamRule.NOT_REGISTERED),
        (schema(id=Required("int64"), name=Required("string"), m=Required("int8")), "m", StreamRule.NOT_REGISTERED),
        (schema(id=Required("int32"), name=Required("string"), city="string"), "id", EvolutionRule.TYPE_CHANGED),
        (schema(name=Required("string"), id=Required("int64"), city="string"), "name", EvolutionRule.REORDERED),
    ],
)
def test_a_writer_that_cannot_be_migrated_is_refused_at_the_write(written: pa.Schema, path: str, rule: str) -> None:
    with pytest.raises(SchemaRefused) as refused:
        STANDARD.records_to_write(records(written, []), evolved(FIRST))
    assert (refused.value.path, refused.value.rule) == (path, rule)


def test_a_writer_who_gives_a_column_twice_is_refused() -> None:
    twice = pa.schema([pa.field("id", pa.int64(), nullable=False), *FIRST])
    with pytest.raises(SchemaRefused, match="id"):
        evolved(FIRST).from_writer(twice)


def test_system_columns_stay_and_rows_without_an_offset_are_migrated_too() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name=Required("string")))
    some = records(FIRST, [{"id": 1, "name": "Io", "city": "x"}], first=7)
    migrated = STANDARD.migrated_records(some, found.to_latest())
    assert migrated.column_names == ["offset", "op", "system_time", "event_time", "id", "name"]
    assert migrated.column("offset").to_pylist() == [7]
    rows = STANDARD.migrated_records(some.drop_columns(["offset", "op", "system_time"]), found.to_latest())
    assert rows.column_names == ["event_time", "id", "name"]


def test_a_fenced_reader_is_not_asked_to_take_a_name_that_was_never_used() -> None:
    found = evolved(FIRST, schema(id=Required("int64"), name=Required("string")))
    fenced = found.fence_of(StreamReader("board", 0, None))
    assert fenced is not None
    assert (fenced.path, fenced.rule) == ("city", EvolutionRule.DELETED_BEFORE)
    assert "Read without it" in str(fenced)
    assert "never used" not in str(fenced)


def test_a_name_under_a_new_id_is_another_column_in_parts_of_any_age_merged_or_not(tmp_path: Path) -> None:
    """Nested too, and in the records of a writer who knows the old one."""
    first = schema(id=Numbered(1, "int64"), city=Numbered(2, "string"), at=Numbered(3, {"x": Numbered(1, "int64")}))
    second = schema(id=Numbered(1, "int64"), at=Numbered(3, {"y": Numbered(2, "int64")}))
    third = schema(
        id=Numbered(1, "int64"),
        at=Numbered(3, {"y": Numbered(2, "int64"), "x": Numbered(4, "string")}),
        city=Numbered(5, "int64"),
    )
    found = evolved(first, second, third)
    rows: list[tuple[pa.Schema, dict[str, object]]] = [
        (first, {"id": 1, "city": "Io", "at": {"x": 7}}),
        (second, {"id": 2, "at": {"y": 8}}),
        (third, {"id": 3, "at": {"y": 9, "x": "z"}, "city": 6}),
    ]
    root = FileFolder(str(tmp_path))
    parts = tuple(
        _published(write_part(stream_folder(root, "moons"), "moons", number, records(schema_, [row], first=number)))
        for number, (schema_, row) in enumerate(rows)
    )
    expected = [
        {"id": 1, "at": {"y": None, "x": None}, "city": None},
        {"id": 2, "at": {"y": 8, "x": None}, "city": None},
        {"id": 3, "at": {"y": 9, "x": "z"}, "city": 6},
    ]
    merged = MergeTask(str(tmp_path), "moons", 2, found.to_latest(), parts).write().into.part
    for some in (parts, (_published(merged),)):
        read = pa.concat_tables(published_tables("moons", root, some, found.to_latest()))
        assert read.select(third.names).to_pylist() == expected
    assert (
        STANDARD.records_to_write(records(first, [rows[0][1]]), found).select(third.names).to_pylist() == expected[:1]
    )


def _published(part: StreamPart) -> PublishedPart:
    return PublishedPart(
        part.start_offset,
        part.end_offset,
        part.schema_id,
        f"moons/history/{part.name}",
        part.bytes,
        part.physical_hash,
        part.logical_hash,
        [part.end_offset],
    )
