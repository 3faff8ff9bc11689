"""The history of a user's dataset, judged by seed 004: what changed and how, which rule it breaks, whom it fences."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.errors import WrongUsage
from lineage_core.evolution import ChangeKind, DatasetHistory, EvolutionRule, Judgement, TypeChange, Verdict
from lineage_core.evolution.data_types import parsed_path, text_of
from lineage_core.evolution.dataset_history import Readers, described_fields, fenced_readers, judged

ADDED, DELETED = ChangeKind.ADDED, ChangeKind.DELETED


def fields(*texts: str, **inner: list[Any]) -> list[dict[str, Any]]:
    """Fields as JSON, each `name` or `name:type`; named ones are structs, with those inside."""
    plain = [{"name": text.partition(":")[0], "type": text.partition(":")[2] or None} for text in texts]
    return [*plain, *({"name": name, "type": "struct", "fields": below} for name, below in inner.items())]


def typed(text: str) -> list[dict[str, Any]]:
    return [{"name": "a", "type": text}]


def judge(*schemas: list[dict[str, Any]] | None) -> Judgement:
    """The judgement of the last schema."""
    return judged(described_fields(schema) for schema in schemas)[-1]


def outline(judgement: Judgement) -> tuple[Verdict, list[str], list[tuple[str, EvolutionRule]]]:
    return (
        judgement.verdict,
        [f"{change.kind} {change.path}" for change in judgement.changes],
        [(refusal.path, refusal.rule) for refusal in judgement.refusals],
    )


class TestVerdicts:
    def test_the_first_schema_is_first(self) -> None:
        assert judge(fields("a:INT")) == Judgement(Verdict.FIRST)

    def test_order_and_descriptions_do_not_count(self) -> None:
        described = [{"name": "b", "type": "TEXT", "description": "new"}, {"name": "a", "type": "INT"}]
        assert judge(fields("a:INT", "b:TEXT"), described) == Judgement(Verdict.UNCHANGED)

    def test_an_added_and_a_deleted_field_are_compatible(self) -> None:
        judgement = judge(fields("a:INT", "b:TEXT"), fields("b:TEXT", "c"))
        assert outline(judgement) == (Verdict.COMPATIBLE, ["added c", "deleted a"], [])

    def test_another_type_is_refused(self) -> None:
        judgement = judge(fields("a:INT"), fields("a:BIGINT"))
        assert outline(judgement) == (Verdict.REFUSED, [], [("a", EvolutionRule.TYPE_CHANGED)])
        assert judgement.refusals[0].reason.startswith('"INT" cannot become "BIGINT".')

    def test_a_field_that_was_deleted_long_ago_is_refused(self) -> None:
        judgement = judge(fields("a:INT"), fields("b"), fields("c"), fields("c", "a:INT"))
        assert outline(judgement) == (Verdict.REFUSED, [], [("a", EvolutionRule.DELETED_BEFORE)])

    def test_what_is_permitted_beside_it_is_named_too(self) -> None:
        judgement = judge(fields("a:INT", "b:INT"), fields("a:TEXT", "c"))
        assert outline(judgement) == (
            Verdict.REFUSED,
            ["added c", "deleted b"],
            [("a", EvolutionRule.TYPE_CHANGED)],
        )

    def test_a_name_twice_is_both_types(self) -> None:
        twice = fields("a:INT", "a:TEXT")
        assert judge(twice, [*reversed(twice)]).verdict is Verdict.UNCHANGED
        assert judge(twice, fields("a:INT")).verdict is Verdict.REFUSED


class TestNestedFields:
    def test_a_change_within_is_named_by_its_path(self) -> None:
        judgement = judge(fields(s=fields("x:INT", "y:INT")), fields(s=fields("y:INT", "z:INT")))
        assert outline(judgement) == (Verdict.COMPATIBLE, ["added s.z", "deleted s.x"], [])

    def test_what_was_deleted_within_stays_deleted(self) -> None:
        judgement = judge(fields(s=fields("x", "y")), fields(s=fields("y")), fields(s=fields("y", "x")))
        assert outline(judgement) == (Verdict.REFUSED, [], [("s.x", EvolutionRule.DELETED_BEFORE)])

    def test_fields_that_an_event_does_not_list_are_what_they_were(self) -> None:
        assert judge(fields(s=fields("x")), fields("s:struct")).verdict is Verdict.UNCHANGED
        assert judge(fields(s=fields("x")), fields("s:struct"), fields(s=fields("y"))).changes == (
            TypeChange(ADDED, "s.y"),
            TypeChange(DELETED, "s.x"),
        )

    def test_fields_that_an_event_lists_at_last_are_added(self) -> None:
        assert judge(fields("s:struct"), fields(s=fields("x"))).changes == (TypeChange(ADDED, "s.x"),)


class TestUnknown:
    def test_a_schema_that_no_event_says_is_unknown(self) -> None:
        assert judge(fields("a"), None) == Judgement(Verdict.UNKNOWN)

    def test_the_next_is_judged_by_the_last_known(self) -> None:
        assert judge(fields("a"), None, fields("b")).verdict is Verdict.COMPATIBLE
        assert judge(fields("a"), None, fields("a")).verdict is Verdict.UNCHANGED

    def test_the_first_known_is_first(self) -> None:
        assert judge(None, None, fields("a")).verdict is Verdict.FIRST

    def test_an_empty_list_of_fields_says_nothing(self) -> None:
        assert judge(fields("a"), []) == Judgement(Verdict.UNKNOWN)
        assert judge(fields("a"), [], fields("a")).verdict is Verdict.UNCHANGED
        assert judge(fields("a", "b"), [], fields("b")).changes == (TypeChange(DELETED, "a"),)
        assert judge([], fields("a")).verdict is Verdict.FIRST

    @pytest.mark.parametrize("unknown", [None, "", "  "])
    def test_a_field_without_a_type_has_the_one_that_it_had(self, unknown: str | None) -> None:
        without = [{"name": "a", "type": unknown}]
        assert [
            judgement.verdict
            for judgement in judged(map(described_fields, [fields("a:INT"), without, fields("a:INT"), without]))
        ] == [Verdict.FIRST, Verdict.UNCHANGED, Verdict.UNCHANGED, Verdict.UNCHANGED]
        assert outline(judge(fields("a:INT"), without, fields("a:TEXT"))) == (
            Verdict.REFUSED,
            [],
            [("a", EvolutionRule.TYPE_CHANGED)],
        )

    def test_a_type_that_is_stated_at_last_is_no_change_and_the_one_after_it_is(self) -> None:
        assert judge(fields("a"), fields("a:INT")).verdict is Verdict.UNCHANGED
        assert judge(fields("a"), fields("a:INT"), fields("a:TEXT")).verdict is Verdict.REFUSED
        assert judge(fields("a"), fields("a"), fields("b", a=fields("x"))).changes == (
            TypeChange(ADDED, "a.x"),
            TypeChange(ADDED, "b"),
        )

    def test_a_field_without_a_type_is_deleted_as_others_are(self) -> None:
        judgement = judge(fields("a:INT", "b"), fields("b"), fields("a", "b"))
        assert outline(judgement) == (Verdict.REFUSED, [], [("a", EvolutionRule.DELETED_BEFORE)])

    def test_within_a_field_unknown_is_no_change_either(self) -> None:
        assert judge(fields(s=fields("x:INT")), fields(s=fields("x")), fields(s=fields("x:INT"))).verdict is (
            Verdict.UNCHANGED
        )
        assert judge(fields(s=fields("x:INT")), fields(s=[])).verdict is Verdict.UNCHANGED


class TestTypesAsText:
    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("INT", " int "),
            ("decimal(10,2)", "DECIMAL( 10, 2 )"),
            ("varchar(10)", "VARCHAR (10)"),
            ("timestamp(3) with time zone", "TIMESTAMP(3)  WITH TIME ZONE"),
            ("struct<a:int,b:string>", "STRUCT<b STRING, a INT>"),
            ("struct<a:int>", "ROW(a integer)".replace("integer", "int")),
            ("struct<a:int>", "struct"),
            ("struct<a:int>", "struct<`a`:int COMMENT 'of <(, all'>"),
            ("array<struct<a:int>>", 'ARRAY(ROW("a" int))'),
            ("array<int>", "int[]"),
            ("map<string,array<int>>", "MAP(STRING, ARRAY<INT>)"),
            ("struct<a:int,b:int,c:int>", "struct<a:int,... 2 more fields>"),
            ("enum('a', 'b')", "enum('a', 'b')"),
        ],
    )
    def test_what_is_written_otherwise_is_no_change(self, before: str, after: str) -> None:
        assert judge(typed(before), typed(after)).verdict is Verdict.UNCHANGED
        assert judge(typed(before), typed(after), typed(before)).verdict is Verdict.UNCHANGED

    @pytest.mark.parametrize(
        ("before", "after"),
        [
            ("INT", "BIGINT"),
            ("INT", "INTEGER"),
            ("decimal(10,2)", "decimal(12,2)"),
            ("decimal", "decimal(10,2)"),
            ("varchar(10)", "varchar(20)"),
            ("double precision", "doubleprecision"),
            ("struct<a:int>", "array<int>"),
            ("enum('a', 'b')", "enum('A', 'b')"),
            ("struct<a:int", "struct<a:int>"),
            ("tuple<a:int>", "tuple<a:string>"),
        ],
    )
    def test_what_says_something_else_is_refused(self, before: str, after: str) -> None:
        assert outline(judge(typed(before), typed(after))) == (
            Verdict.REFUSED,
            [],
            [("a", EvolutionRule.TYPE_CHANGED)],
        )

    @pytest.mark.parametrize(
        ("before", "after", "changes", "broken"),
        [
            ("struct<x:int,y:int>", "struct<y:int,z:int>", ["added a.z", "deleted a.x"], []),
            ("struct<x:int>", "struct<x:string>", [], ["a.x"]),
            ("array<struct<x:int>>", "array<struct<x:int,y:int>>", ["added a._element.y"], []),
            ("array<int>", "array<string>", [], ["a._element"]),
            ("map<int,struct<x:int>>", "map<int,struct<y:int>>", ["added a.value.y", "deleted a.value.x"], []),
            ("map<struct<x:int,y:int>,int>", "map<struct<y:int>,int>", [], ["a.key.x"]),
        ],
    )
    def test_what_is_within_is_judged_by_its_path(
        self, before: str, after: str, changes: list[str], broken: list[str]
    ) -> None:
        verdict = Verdict.REFUSED if broken else Verdict.COMPATIBLE
        judgement = judge(typed(before), typed(after))
        assert outline(judgement)[:2] == (verdict, changes)
        assert [refusal.path for refusal in judgement.refusals] == broken

    def test_a_text_and_a_list_of_fields_say_the_same(self) -> None:
        """As Hive and OpenLineage's Spark integration write one type."""
        listed = [
            {
                "name": "a",
                "type": "array",
                "fields": [{"name": "_element", "type": "struct", "fields": fields("x:int")}],
            }
        ]
        assert judge(typed("array<struct<x:int>>"), listed).verdict is Verdict.UNCHANGED
        assert judge(listed, typed("array<struct<x:int>>")).verdict is Verdict.UNCHANGED

    @given(text=st.text("aI<>(),:[]`'\" 0.", max_size=30))
    def test_any_text_is_the_same_as_itself(self, text: str) -> None:
        assert judge(typed(text), typed(text)).verdict is Verdict.UNCHANGED

    @pytest.mark.parametrize("text", ["array<" * 5_000 + "int" + ">" * 5_000, "struct<a:" * 60 + "int", "(" * 100_001])
    def test_what_is_too_deep_or_too_long_is_compared_as_it_is(self, text: str) -> None:
        assert judge(typed(text), typed(text)).verdict is Verdict.UNCHANGED
        assert judge(typed(text), typed(text + " ")).verdict is Verdict.UNCHANGED
        assert judge(typed(text), typed(text + "x")).verdict is Verdict.REFUSED


class TestAfterARefusal:
    """It has happened, so the history goes on from it."""

    def test_the_new_type_is_the_type(self) -> None:
        assert judge(fields("a:INT"), fields("a:TEXT"), fields("a:TEXT")).verdict is Verdict.UNCHANGED
        assert judge(fields("a:INT"), fields("a:TEXT"), fields("a:INT")).verdict is Verdict.REFUSED

    def test_what_was_made_again_is_there(self) -> None:
        again = [fields("a"), fields("b"), fields("a", "b")]
        assert judge(*again, fields("b", "a")).verdict is Verdict.UNCHANGED
        assert judge(*again, fields("b")).verdict is Verdict.COMPATIBLE
        assert judge(*again, fields("b"), fields("a", "b")).verdict is Verdict.REFUSED

    def test_what_was_deleted_beside_it_stays_deleted(self) -> None:
        assert judge(fields("a", "b"), fields("c"), fields("a"), fields("a", "b")).refusals[0].path == "b"


class TestReaders:
    def fenced(self, before: list[Any], after: list[Any], readers: Readers) -> list[tuple[str, str]]:
        history = DatasetHistory().next(described_fields(before))[1]
        judgement, _ = history.next(described_fields(after), readers)
        return [(fenced.reader, fenced.refusal.path) for fenced in judgement.fenced]

    def test_who_reads_a_deleted_column_is_fenced(self) -> None:
        readers = {"report": ["a", "b"], "export": ["b"]}
        assert self.fenced(fields("a", "b"), fields("b", "c"), readers) == [("report", "a")]

    def test_who_reads_a_column_of_another_type_is_fenced(self) -> None:
        assert self.fenced(fields("a:INT", "b"), fields("a:TEXT", "b"), {"r": ["a"], "s": ["b"]}) == [("r", "a")]

    def test_who_reads_a_part_of_a_struct_is_fenced_by_that_part(self) -> None:
        readers = {"all": ["s"], "x": ["s.x"], "y": ["s.y"]}
        assert self.fenced(fields(s=fields("x", "y")), fields(s=fields("y")), readers) == [("all", "s.x"), ("x", "s.x")]
        assert self.fenced(fields("b", s=fields("x")), fields("b"), {"x": ["s.x"]}) == [("x", "s")]

    def test_an_added_column_fences_no_one(self) -> None:
        assert self.fenced(fields("a"), fields("a", "b"), {"r": ["a"]}) == []

    def test_a_column_that_was_not_there_fences_no_one(self) -> None:
        assert self.fenced(fields("a"), fields(), {"r": ["b"]}) == []


NAMES = st.sampled_from(("a", "b", "c", "d"))
TYPES = st.none() | st.sampled_from(
    ("INT", "int", "TEXT", "struct", "struct<a:INT,b>", "struct<b:struct<c:INT>,a:TEXT>")
)
JSON_FIELDS: st.SearchStrategy[Any] = st.recursive(
    st.lists(st.fixed_dictionaries({"name": NAMES, "type": TYPES}), max_size=4),
    lambda inner: st.lists(
        st.fixed_dictionaries({"name": NAMES, "type": TYPES}, optional={"fields": inner}), max_size=4
    ),
    max_leaves=6,
)
HISTORIES = st.lists(st.none() | JSON_FIELDS, max_size=8)


def _less(schema: list[Any]) -> st.SearchStrategy[Any]:
    """What says less than the schema."""
    without = st.tuples(*(st.booleans() for _ in schema)).map(
        lambda chosen: [
            field | ({"type": None} if is_chosen else {}) for field, is_chosen in zip(schema, chosen, strict=True)
        ]
    )
    return st.none() | st.just([]) | without


def _whole(schema: list[Any]) -> list[Any]:
    """The schema with each name once, and types that are structs if there are fields within."""
    return [
        {"name": name, "type": "struct", "fields": _whole(within)}
        if (within := field.get("fields"))
        else {"name": name, "type": field["type"] or "INT"}
        for name, field in {field["name"]: field for field in schema}.items()
    ]


def _text(field: dict[str, Any]) -> str:
    within = [f"{inner['name']}:{_text(inner)}" for inner in field.get("fields", ())]
    return f"struct<{','.join(within)}>" if within else str(field["type"])


KNOWN = JSON_FIELDS.filter(bool).map(_whole)
"""With the type of every field, and no name twice."""


class TestEveryReader:
    @given(schemas=HISTORIES, read=st.lists(st.lists(NAMES, min_size=1, max_size=2), max_size=3))
    def test_what_fences_a_reader_of_all_columns_says_whom_else_it_fences(
        self, schemas: list[Any], read: list[list[str]]
    ) -> None:
        readers = {str(number): [".".join(path)] for number, path in enumerate(read)}
        history = DatasetHistory()
        for schema in map(described_fields, schemas):
            expected = history.next(schema, readers)[0].fenced
            judgement, history = history.next_for_all(schema)
            found = fenced_readers([fenced.refusal for fenced in judgement.fenced], readers)
            assert found == expected


class TestState:
    @given(schemas=HISTORIES)
    def test_a_history_goes_on_from_what_was_stored(self, schemas: list[Any]) -> None:
        history = DatasetHistory()
        judgements = []
        for schema in schemas:
            stored = DatasetHistory.from_json(json.loads(json.dumps(history.to_json(), sort_keys=True)))
            assert stored == history
            judgement, history = stored.next(described_fields(schema))
            judgements.append(judgement)
        assert judgements == judged(described_fields(schema) for schema in schemas)

    @given(schemas=HISTORIES, random=st.randoms(use_true_random=False))
    def test_no_order_of_fields_changes_a_verdict(self, schemas: list[Any], random: Any) -> None:
        shuffled = [schema if schema is None else random.sample(schema, len(schema)) for schema in schemas]
        verdicts = judged(described_fields(schema) for schema in schemas)
        assert judged(described_fields(schema) for schema in shuffled) == verdicts

    @given(schemas=HISTORIES)
    def test_the_latest_known_again_is_unchanged(self, schemas: list[Any]) -> None:
        known = [schema for schema in schemas if schema]
        if known:
            assert judge(*schemas, known[-1]).verdict is Verdict.UNCHANGED

    @given(schemas=st.lists(st.lists(NAMES, unique=True, min_size=1), min_size=1, max_size=10))
    def test_a_schema_is_refused_if_and_only_if_a_field_was_there_and_gone(self, schemas: list[list[str]]) -> None:
        ever: set[str] = set()
        before: set[str] = set()
        judgements = judged(described_fields(fields(*names)) for names in schemas)
        for names, judgement in zip(schemas, judgements, strict=True):
            again = (ever - before) & set(names)
            assert {refusal.path for refusal in judgement.refusals} == again
            ever, before = ever | set(names), set(names)

    @given(schemas=st.lists(KNOWN, max_size=5), data=st.data())
    def test_what_says_less_between_two_schemas_changes_no_verdict(self, schemas: list[Any], data: Any) -> None:
        """The same fields without some of the types, an empty list, or no list: unknown is no change."""
        with_less = [[schema, data.draw(_less(schema))] for schema in schemas]
        judgements = judged(described_fields(schema) for pair in with_less for schema in pair)
        assert judgements[::2] == judged(described_fields(schema) for schema in schemas)
        assert {judgement.verdict for judgement in judgements[1::2]} <= {Verdict.UNKNOWN, Verdict.UNCHANGED}

    @given(schemas=st.lists(st.none() | JSON_FIELDS, max_size=5))
    def test_fields_as_a_text_are_judged_as_fields_in_a_list(self, schemas: list[Any]) -> None:
        of_lists = judged(described_fields(schema and _whole(schema)) for schema in schemas)
        as_text = [
            schema and [field | {"type": _text(field), "fields": None} for field in _whole(schema)]
            for schema in schemas
        ]
        assert judged(described_fields(schema) for schema in as_text) == of_lists

    @pytest.mark.parametrize("value", [None, {"struct": 3}, []], ids=str)
    def test_other_json_is_refused(self, value: Any) -> None:
        with pytest.raises(WrongUsage, match="no history of a dataset"):
            DatasetHistory.from_json(value)

    @pytest.mark.parametrize("value", [{}, [{"type": "INT"}], [{"name": "a", "fields": 1}]], ids=str)
    def test_fields_without_a_name_are_refused(self, value: Any) -> None:
        with pytest.raises(WrongUsage, match="no list of fields"):
            described_fields(value)


@pytest.mark.parametrize("text", ["", ".", "a.", ".a", "a..b", "a`b", "name.`x", "`a`b", "`a", "a.`b`c"])
def test_what_is_no_path_is_wrong_usage(text: str) -> None:
    with pytest.raises(WrongUsage, match="is no path of a column"):
        parsed_path(text)


@given(path=st.lists(st.text("ab.`", max_size=3), min_size=1, max_size=4).map(tuple))
def test_a_path_comes_back_from_its_text(path: tuple[str, ...]) -> None:
    assert parsed_path(text_of(path)) == path
