"""The rules of seed 004, sentence by sentence: which changes are permitted, and which rule the others break."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from typing import Any

import pyarrow as pa
import pytest

from lineage_core.errors import NeedsOperator, ReaderFenced, SchemaRefused, WrongUsage
from lineage_core.evolution import ChangeKind, EvolutionRule, MigrationType, TypeChange
from tests.support.evolving_schemas import Keyed, Numbered, Required, schema

ADDED, DELETED, NULLABLE = ChangeKind.ADDED, ChangeKind.DELETED, ChangeKind.MADE_NULLABLE
NOT_NULL = Required("int64")


@dataclass(frozen=True)
class Case:
    """Schemas that follow each other, without the last one permitted, and what comes of the last."""

    sentence: str
    schemas: tuple[pa.Schema, ...]
    outcome: Any


PERMITTED = (
    Case(
        "making a non-nullable field nullable",
        (schema(a=NOT_NULL), schema(a="int64")),
        [TypeChange(NULLABLE, "a")],
    ),
    Case("deleting a field", (schema(a="int64", b="int64"), schema(b="int64")), [TypeChange(DELETED, "a")]),
    Case(
        "deleting a non-nullable field", (schema(a=NOT_NULL, b="int64"), schema(b="int64")), [TypeChange(DELETED, "a")]
    ),
    Case("deleting the last field", (schema(a="int64"), schema()), [TypeChange(DELETED, "a")]),
    Case(
        "adding a nullable field at the end",
        (schema(a="int64"), schema(a="int64", b="string")),
        [TypeChange(ADDED, "b")],
    ),
    Case(
        "adding a nullable field at the beginning",
        (schema(a="int64"), schema(b="string", a="int64")),
        [TypeChange(ADDED, "b")],
    ),
    Case(
        "adding a nullable field between others",
        (schema(a="int64", c="int64"), schema(a="int64", b="string", c="int64")),
        [TypeChange(ADDED, "b")],
    ),
    Case(
        "adding a nullable field with non-nullable ones inside",
        (schema(a="int64"), schema(a="int64", s={"x": NOT_NULL})),
        [TypeChange(ADDED, "s")],
    ),
    Case(
        "all of these at once",
        (schema(a="int64", b=NOT_NULL), schema(c="string", b="int64")),
        [TypeChange(ADDED, "c"), TypeChange(NULLABLE, "b"), TypeChange(DELETED, "a")],
    ),
    Case("no change", (schema(a="int64"), schema(a="int64")), []),
    Case(
        "a field of another name deleted in between",
        (schema(a="int64", b="int64"), schema(a="int64"), schema(a="int64", c="int64")),
        [TypeChange(ADDED, "c")],
    ),
    Case(
        "a valid migration of a struct within a struct",
        (schema(s={"t": {"x": NOT_NULL, "y": "int64"}}), schema(s={"t": {"x": "int64", "z": "int64"}})),
        [TypeChange(NULLABLE, "s.t.x"), TypeChange(ADDED, "s.t.z"), TypeChange(DELETED, "s.t.y")],
    ),
    Case(
        "a valid migration of the structs in a list",
        (schema(s=[{"x": "int64"}]), schema(s=[{"y": "int64"}])),
        [TypeChange(ADDED, "s.element.y"), TypeChange(DELETED, "s.element.x")],
    ),
    Case(
        "a valid migration of the values of a map",
        (schema(m=Keyed("string", {"x": "int64"})), schema(m=Keyed("string", {"y": "int64"}))),
        [TypeChange(ADDED, "m.value.y"), TypeChange(DELETED, "m.value.x")],
    ),
    Case(
        "elements of a list become nullable",
        (schema(s=[Required("int64")]), schema(s=["int64"])),
        [TypeChange(NULLABLE, "s.element")],
    ),
    Case(
        "values of a map become nullable",
        (schema(m=Keyed("string", Required("int64"))), schema(m=Keyed("string", "int64"))),
        [TypeChange(NULLABLE, "m.value")],
    ),
    Case(
        "a nullable field is added to the keys of a map",
        (schema(m=Keyed({"x": NOT_NULL}, "int64")), schema(m=Keyed({"x": "int64", "y": "int64"}, "int64"))),
        [TypeChange(NULLABLE, "m.key.x"), TypeChange(ADDED, "m.key.y")],
    ),
    Case(
        "nullable and nested at once, which the implementation that the seed describes did not permit",
        (schema(s=Required({"x": "int64"})), schema(s={"x": "int64", "y": "int64"})),
        [TypeChange(NULLABLE, "s"), TypeChange(ADDED, "s.y")],
    ),
    Case(
        "a name of a deleted field under a new id",
        (
            schema(a=Numbered(1, "int64"), b=Numbered(2, "int64")),
            schema(b=Numbered(2, "int64")),
            schema(b=Numbered(2, "int64"), a=Numbered(3, "string")),
        ),
        [TypeChange(ADDED, "a")],
    ),
    Case(
        "a name under a new id in one step",
        (schema(a=Numbered(1, "int64")), schema(a=Numbered(2, "string"))),
        [TypeChange(ADDED, "a"), TypeChange(DELETED, "a")],
    ),
    Case(
        "a renaming is a deletion and an addition",
        (schema(a="int64", b="int64"), schema(c="int64", b="int64")),
        [TypeChange(ADDED, "c"), TypeChange(DELETED, "a")],
    ),
    Case("other names of elements in Arrow", (schema(a=pa.list_(pa.field("x", pa.int8()))), schema(a=["int8"])), []),
)

REFUSED = (
    Case(
        "making a nullable field non-nullable",
        (schema(a="int64"), schema(a=NOT_NULL)),
        ("a", EvolutionRule.NULL_FORBIDDEN),
    ),
    Case(
        "non-nullable again, after it was made nullable",
        (schema(a=NOT_NULL), schema(a="int64"), schema(a=NOT_NULL)),
        ("a", EvolutionRule.NULL_FORBIDDEN),
    ),
    Case(
        "elements of a list become non-nullable",
        (schema(a=["int64"]), schema(a=[NOT_NULL])),
        ("a.element", EvolutionRule.NULL_FORBIDDEN),
    ),
    Case(
        "values of a map become non-nullable",
        (schema(m=Keyed("string", "int64")), schema(m=Keyed("string", NOT_NULL))),
        ("m.value", EvolutionRule.NULL_FORBIDDEN),
    ),
    Case(
        "adding a non-nullable field",
        (schema(a="int64"), schema(a="int64", b=NOT_NULL)),
        ("b", EvolutionRule.ADDED_NOT_NULL),
    ),
    Case(
        "renaming a non-nullable field",
        (schema(a=NOT_NULL), schema(b=NOT_NULL)),
        ("b", EvolutionRule.ADDED_NOT_NULL),
    ),
    Case(
        "re-creating a deleted field",
        (schema(a="int64", b="int64"), schema(b="int64"), schema(a="int64", b="int64")),
        ("a", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a field that was deleted several schemas ago",
        (schema(a="int64"), schema(), schema(b="int64"), schema(c="int64"), schema(a="int64")),
        ("a", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a deleted field with another type",
        (schema(a="int64"), schema(), schema(a="string")),
        ("a", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "renaming back",
        (schema(a="int64"), schema(b="int64"), schema(a="int64")),
        ("a", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a field deleted within a struct",
        (schema(s={"x": "int64"}), schema(s={}), schema(s={"x": "int64"})),
        ("s.x", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a field deleted within a list",
        (schema(s=[{"x": "int64"}]), schema(s=[{}]), schema(s=[{"x": "int64"}])),
        ("s.element.x", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a deleted struct with other fields",
        (schema(s={"x": "int64"}), schema(), schema(s={"y": "int64"})),
        ("s", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "re-creating a deleted id under another name",
        (schema(a=Numbered(1, "int64")), schema(), schema(b=Numbered(1, "int64"))),
        ("b", EvolutionRule.DELETED_BEFORE),
    ),
    Case(
        "reordering fields",
        (schema(a="int64", b="int64"), schema(b="int64", a="int64")),
        ("a", EvolutionRule.REORDERED),
    ),
    Case(
        "reordering fields around an added and a deleted one",
        (schema(a="int64", b="int64", c="int64"), schema(c="int64", d="int64", a="int64")),
        ("a", EvolutionRule.REORDERED),
    ),
    Case(
        "reordering fields within a struct in a list",
        (schema(s=[{"x": "int64", "y": "int64"}]), schema(s=[{"y": "int64", "x": "int64"}])),
        ("s.element.x", EvolutionRule.REORDERED),
    ),
    Case("widening an integer", (schema(a="int32"), schema(a="int64")), ("a", EvolutionRule.TYPE_CHANGED)),
    Case("narrowing an integer", (schema(a="int64"), schema(a="int32")), ("a", EvolutionRule.TYPE_CHANGED)),
    Case(
        "another precision of decimals",
        (schema(a=pa.decimal128(5, 2)), schema(a=pa.decimal128(6, 2))),
        ("a", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "another zone of timestamps",
        (schema(a=pa.timestamp("us")), schema(a=pa.timestamp("us", "UTC"))),
        ("a", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "another size of lists",
        (schema(a=pa.list_(pa.int8(), 2)), schema(a=pa.list_(pa.int8(), 3))),
        ("a", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "larger offsets of lists",
        (schema(a=["int8"]), schema(a=pa.large_list(pa.int8()))),
        ("a", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "a primitive becomes a struct", (schema(a="int64"), schema(a={"x": "int64"})), ("a", EvolutionRule.TYPE_CHANGED)
    ),
    Case("nothing but nulls becomes a struct", (schema(a="null"), schema(a={})), ("a", EvolutionRule.TYPE_CHANGED)),
    Case(
        "a map becomes a list of its entries",
        (schema(m=Keyed("string", "int64")), schema(m=[Required({"key": Required("string"), "value": "int64"})])),
        ("m", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "widening within the values of a map",
        (schema(m=Keyed("string", {"x": "int32"})), schema(m=Keyed("string", {"x": "int64"}))),
        ("m.value.x", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "other keys of a map",
        (schema(m=Keyed("string", "int64")), schema(m=Keyed("int64", "int64"))),
        ("m.key", EvolutionRule.TYPE_CHANGED),
    ),
    Case(
        "deleting a field of the keys of a map, which could make two keys one",
        (schema(m=Keyed({"x": "int64", "y": "int64"}, "int64")), schema(m=Keyed({"x": "int64"}, "int64"))),
        ("m.key.y", EvolutionRule.MAP_KEY),
    ),
    Case(
        "another name for an id",
        (schema(a=Numbered(1, "int64")), schema(b=Numbered(1, "int64"))),
        ("b", EvolutionRule.RENAMED),
    ),
    Case("ids where there were none", (schema(a="int64"), schema(a=Numbered(1, "int64"))), ("", EvolutionRule.IDS)),
    Case(
        "no ids where all were deleted that had one",
        (schema(s={"a": Numbered(1, "int64")}), schema(s={}), schema(s={"a": "int64"})),
        ("s", EvolutionRule.IDS),
    ),
    Case("ids on some fields", (schema(), schema(a=Numbered(1, "int64"), b="int64")), ("b", EvolutionRule.IDS)),
    Case(
        "an id twice",
        (schema(), schema(a=Numbered(1, "int64"), b=Numbered(1, "int64"))),
        ("b", EvolutionRule.TWICE),
    ),
    Case(
        "a name twice",
        (schema(), pa.schema([("s", pa.struct([("x", pa.int8()), ("x", pa.int8())]))])),
        ("s.x", EvolutionRule.TWICE),
    ),
    Case(
        "an encoding in place of a type",
        (schema(), schema(a=[pa.dictionary(pa.int32(), pa.string())])),
        ("a.element", EvolutionRule.UNSUPPORTED),
    ),
    Case(
        "a path names fields with dots as Spark does",
        (schema({"a.b": {"c`d": "int32"}}), schema({"a.b": {"c`d": "int64"}})),
        ("`a.b`.`c``d`", EvolutionRule.TYPE_CHANGED),
    ),
)


def migration_type(*schemas: pa.Schema) -> MigrationType:
    history = MigrationType.of(schemas[0])
    for following in schemas[1:]:
        history = history.evolve(following)
    return history


@pytest.mark.parametrize("case", PERMITTED, ids=lambda case: case.sentence)
def test_permitted(case: Case) -> None:
    history = migration_type(*case.schemas[:-1])
    last = case.schemas[-1]
    assert list(history.migration_to(last).changes) == case.outcome
    assert history.evolve(last).current().equals(last, check_metadata=False)


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.sentence)
def test_refused(case: Case) -> None:
    history = migration_type(*case.schemas[:-1])
    before = history.to_json()
    with pytest.raises(SchemaRefused) as refused:
        history.evolve(case.schemas[-1])
    assert (refused.value.path, refused.value.rule) == case.outcome
    assert history.to_json() == before


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.sentence)
def test_a_reader_is_fenced_by_the_same_rules(case: Case) -> None:
    with pytest.raises(ReaderFenced) as fenced:
        migration_type(*case.schemas[:-1]).migration_to(case.schemas[-1])
    assert (fenced.value.path, fenced.value.rule) == case.outcome


def test_every_rule_has_a_case() -> None:
    assert {rule for _, rule in (case.outcome for case in REFUSED)} == set(EvolutionRule)


class TestFirstSchema:
    def test_it_may_have_fields_that_are_not_null(self) -> None:
        first = schema(a=NOT_NULL, s=Required({"x": NOT_NULL}))
        assert MigrationType.of(first).current() == first

    def test_it_may_be_empty(self) -> None:
        assert MigrationType.of(schema()).current() == schema()

    def test_it_may_not_have_fields_that_cannot_be_kept_apart(self) -> None:
        with pytest.raises(SchemaRefused) as refused:
            MigrationType.of(pa.schema([("a", pa.int8()), ("a", pa.int16())]))
        assert (refused.value.path, refused.value.rule) == ("a", EvolutionRule.TWICE)

    def test_an_id_that_is_no_number_is_named(self) -> None:
        with pytest.raises(WrongUsage, match="PARQUET:field_id of the field a is b'x'"):
            MigrationType.of(pa.schema([pa.field("a", pa.int8(), metadata={"PARQUET:field_id": "x"})]))


class TestData:
    def test_a_migration_applies_to_nothing_else(self) -> None:
        latest = schema(a="int64")
        with pytest.raises(WrongUsage, match=r"and not to builtins\.list"):
            MigrationType.of(latest).migration_to(latest).apply([1])

    def test_it_may_be_called_itself(self) -> None:
        latest = schema(a="int64")
        table = pa.table({"a": [1]}, schema=latest)
        assert MigrationType.of(latest).migration_to(latest)(table) == table


class TestErrors:
    def test_both_need_a_person(self) -> None:
        assert issubclass(SchemaRefused, NeedsOperator)
        assert issubclass(ReaderFenced, NeedsOperator)

    @pytest.mark.parametrize("kind", [SchemaRefused, ReaderFenced])
    def test_both_come_back_from_a_task_of_spark_as_they_are(
        self, kind: type[SchemaRefused] | type[ReaderFenced]
    ) -> None:
        error = kind("s.x", "type-changed", "int32 cannot become int64")
        back = pickle.loads(pickle.dumps(error))
        assert (str(back), back.path, back.rule) == (str(error), error.path, error.rule)

    def test_a_message_says_what_where_and_what_to_do(self) -> None:
        with pytest.raises(SchemaRefused) as refused:
            MigrationType.of(schema(s={"x": "int32"})).evolve(schema(s={"x": "int64"}))
        assert str(refused.value) == (
            "s.x: int32 cannot become int64. Add a nullable field with the new type under another name. "
            "(rule type-changed)"
        )


class TestReaders:
    """The section "Reader schemas" of the seed, with its consequences."""

    def test_the_latest_schema_is_a_noop(self) -> None:
        history = migration_type(schema(a=NOT_NULL, b="int64"), schema(a="int64", c="int64"))
        assert history.migration_to(history.current()).is_noop

    def test_a_projection_of_the_latest_is_not_fenced(self) -> None:
        history = migration_type(schema(a="int64", s={"x": "int64", "y": "int64"}))
        assert not history.migration_to(schema(s={"y": "int64"})).is_noop

    @pytest.mark.parametrize(
        "change", [schema(a="int64"), schema(a="int64", b="int64"), schema(a="int64", b=NOT_NULL, c="int64")]
    )
    def test_no_migration_of_a_column_that_is_projected_away_fences(self, change: pa.Schema) -> None:
        reader = schema(a="int64")
        history = migration_type(schema(a="int64", b=NOT_NULL), change)
        assert history.migration_to(reader).schema() == reader

    def test_a_column_of_the_reader_that_is_made_nullable_fences(self) -> None:
        history = migration_type(schema(a=NOT_NULL, b=NOT_NULL), schema(a="int64", b=NOT_NULL))
        with pytest.raises(ReaderFenced) as fenced:
            history.migration_to(schema(a=NOT_NULL, b=NOT_NULL))
        assert (fenced.value.path, fenced.value.rule) == ("a", EvolutionRule.NULL_FORBIDDEN)

    def test_a_column_of_the_reader_that_is_deleted_fences(self) -> None:
        history = migration_type(schema(a="int64", b="int64"), schema(a="int64"))
        with pytest.raises(ReaderFenced) as fenced:
            history.migration_to(schema(a="int64", b="int64"))
        assert (fenced.value.path, fenced.value.rule) == ("b", EvolutionRule.DELETED_BEFORE)

    def test_a_forward_compatible_change_does_not_fence(self) -> None:
        reader = schema(a=NOT_NULL)
        assert migration_type(reader, schema(b="int64", a=NOT_NULL)).migration_to(reader).schema() == reader

    def test_a_reader_of_an_older_version_is_right_there(self) -> None:
        before = migration_type(schema(a="int64", b="int64"))
        before.evolve(schema(a="int64"))
        assert before.migration_to(schema(a="int64", b="int64")).is_noop

    def test_a_column_that_never_was_is_null(self) -> None:
        read = migration_type(schema(a="int64")).migration_to(schema(a="int64", b="string"))
        assert read.apply(pa.table({"a": [1]})).to_pylist() == [{"a": 1, "b": None}]

    def test_a_later_reader_of_an_earlier_version_is_right(self) -> None:
        """Old data stays readable: "readers using any valid schema should be able to read data written before"."""
        old = migration_type(schema(a=NOT_NULL, b="int64"))
        latest = schema(a="int64", c="int64")
        assert old.evolve(latest).migration_to(latest).apply(
            pa.Table.from_pylist([{"a": 1, "b": 2}], schema(a=NOT_NULL, b="int64"))
        ).to_pylist() == [{"a": 1, "c": None}]

    def test_data_that_the_version_does_not_have_is_not_read(self) -> None:
        with pytest.raises(WrongUsage, match="b was never a field"):
            migration_type(schema(a="int64")).migration_to(schema(a="int64")).apply(pa.table({"a": [1], "b": [1]}))

    @pytest.mark.parametrize(
        ("table", "why"),
        [
            (schema(a=NOT_NULL, s={"x": "int32"}), r"s\.x is int32, not int64"),
            (schema(a="int64"), "a may be null"),
            (schema(s={"x": "int64"}), "a is missing"),
            (schema(a=NOT_NULL, s={"y": "int64"}), r"s\.y was never a field"),
        ],
        ids=str,
    )
    def test_data_of_no_earlier_schema_is_not_read(self, table: pa.Schema, why: str) -> None:
        migration = migration_type(schema(a=NOT_NULL, s={"x": "int64"})).migration_to(schema(a=NOT_NULL))
        with pytest.raises(WrongUsage, match=why):
            migration.apply(table.empty_table())

    def test_what_is_neither_table_nor_frame_is_refused(self) -> None:
        with pytest.raises(WrongUsage, match=r"not to builtins\.list"):
            migration_type(schema()).migration_to(schema()).apply([])


class TestMigrationType:
    def test_it_has_the_deleted_fields_and_where_they_were(self) -> None:
        history = migration_type(schema(a="int64", b="int64", c="int64"), schema(a="int64", c="int64"))
        assert [(field.name, field.deleted) for field in history.struct.fields] == [
            ("a", False),
            ("b", True),
            ("c", False),
        ]

    def test_a_schema_that_is_the_latest_changes_nothing(self) -> None:
        history = migration_type(schema(a="int64", s={"x": "int64", "y": "int8"}), schema(s={"y": "int8"}))
        assert history.evolve(history.current()) == history

    def test_ids_are_in_the_metadata_of_fields(self) -> None:
        numbered = schema(s=Numbered(1, {"x": Numbered(7, "int64")}))
        assert MigrationType.of(numbered).current().equals(numbered, check_metadata=True)

    def test_parquets_sign_for_no_id_is_none(self) -> None:
        no_id = pa.schema([pa.field("a", pa.int8(), metadata={"PARQUET:field_id": "-1"})])
        assert MigrationType.of(no_id) == MigrationType.of(schema(a="int8"))

    def test_its_json_is_stable(self) -> None:
        history = migration_type(schema(a=Required("int64"), l=[{"x": "string"}]), schema(l=[{}]))
        assert history.to_json() == {
            "form": 1,
            "struct": {
                "kind": "struct",
                "fields": [
                    {"name": "a", "type": {"kind": "primitive", "name": "int64"}, "nullable": False, "deleted": True},
                    {
                        "name": "l",
                        "nullable": True,
                        "type": {
                            "kind": "list",
                            "element": {
                                "nullable": True,
                                "type": {
                                    "kind": "struct",
                                    "fields": [
                                        {
                                            "name": "x",
                                            "type": {"kind": "primitive", "name": "string"},
                                            "nullable": True,
                                            "deleted": True,
                                        }
                                    ],
                                },
                            },
                        },
                    },
                ],
            },
        }
        assert MigrationType.from_json(json.loads(json.dumps(history.to_json()))) == history

    @pytest.mark.parametrize(
        ("value", "why"),
        [
            ({"form": 2, "struct": {}}, "form 1, but 2"),
            (None, "but None"),
            ({"form": 1}, "got `null`"),
            ({"form": 1, "struct": {"kind": "struct", "fields": [{"name": "a"}]}}, r"fields\[0\]|missing required"),
        ],
        ids=str,
    )
    def test_other_json_is_refused(self, value: Any, why: str) -> None:
        with pytest.raises(WrongUsage, match=why):
            MigrationType.from_json(value)


class TestCompaction:
    """The section "Compaction and consolidation": which deletions may change the order of rows."""

    @pytest.mark.parametrize(
        ("sorted_as", "target", "key", "keeps"),
        [
            (schema(a="int64", b="int64"), schema(a="int64"), None, True),
            (schema(a="int64", b="int64"), schema(b="int64"), None, False),
            (schema(a="int64", b="int64"), schema(), None, True),
            (schema(a="int64", b="int64", c="int64"), schema(a="int64", c="int64"), None, False),
            (schema(a="int64", b="int64", c="int64"), schema(a="int64"), None, True),
            (schema(a="int64", b="int64", c="int64"), schema(a="int64", c="int64"), ["a", "c"], True),
            (schema(a="int64", b="int64", c="int64"), schema(a="int64", c="int64"), ["c", "b"], True),
            (schema(a="int64", b="int64", c="int64"), schema(a="int64", c="int64"), ["b", "c"], False),
            (schema(a="int64", b="int64"), schema(b="int64"), [], True),
            (schema(a=NOT_NULL), schema(b="int64", a="int64"), None, True),
            (schema(s={"x": "int64", "y": "int64"}), schema(s={"x": "int64"}), None, True),
            (schema(s={"x": "int64", "y": "int64"}, b="int64"), schema(s={"x": "int64"}, b="int64"), None, False),
            (schema(s={"x": "int64", "y": "int64"}, b="int64"), schema(s={"x": "int64"}), None, True),
            (schema(a="int64", s={"x": "int64"}), schema(s={}), None, False),
            (schema(a="int64", s=Required({"x": "int64"})), schema(s=Required({})), None, True),
            (schema(s=[{"x": "int64", "y": "int64"}]), schema(s=[{"x": "int64"}]), None, False),
            (schema(s=[{"x": "int64"}]), schema(s=[{"x": "int64", "y": "int64"}]), None, True),
            (schema(a="int64", s=[{"x": "int64"}]), schema(a="int64"), None, True),
            (schema(a="int64", s=[{"x": "int64"}]), schema(a="int64", s=[{}]), ["a"], True),
            (schema(m=Keyed("string", {"x": "int64"})), schema(m=Keyed("string", {})), None, False),
        ],
        ids=str,
    )
    def test_rows_stay_sorted(
        self, sorted_as: pa.Schema, target: pa.Schema, key: list[str] | None, keeps: bool
    ) -> None:
        migration = migration_type(sorted_as).migration_to(target)
        assert migration.keeps_order(sorted_as, key) is keeps

    def test_an_older_part_has_an_order_of_its_own(self) -> None:
        """b came between: where it was never a column, its deletion moves no row."""
        first, second = schema(a="int64", c="int64"), schema(a="int64", b="int64", c="int64")
        migration = migration_type(first, second).migration_to(first)
        assert migration.keeps_order(first)
        assert not migration.keeps_order(second)

    def test_a_key_that_is_no_column_is_refused(self) -> None:
        with pytest.raises(WrongUsage, match="sorted by z"):
            migration_type(schema(a="int64")).migration_to(schema()).keeps_order(schema(a="int64"), ["z"])

    def test_compaction_may_lose_a_deleted_column(self) -> None:
        migration = migration_type(schema(a="int64", b="int64")).migration_to(schema(b="int64"))
        assert migration.deletes
        assert not migration_type(schema(a="int64")).migration_to(schema(a="int64", b="int64")).deletes
