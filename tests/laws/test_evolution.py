"""Evolution is lossless or refused, and a reader is right or fenced (seed 004), for nested schemas and their data."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from itertools import pairwise, product
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from lineage_core.errors import ReaderFenced, SchemaRefused
from lineage_core.evolution import ChangeKind, EvolutionRule, MigrationType
from lineage_core.evolution.arrow import schema_of, struct_of
from lineage_core.evolution.data_types import (
    Content,
    DataField,
    DataType,
    ListOf,
    MapOf,
    Path,
    Primitive,
    Struct,
    live,
    projection,
    text_of,
)
from lineage_core.evolution.row_order import keeps_order
from tests.support.evolving_schemas import (
    at_struct,
    names_at,
    permitted_steps,
    schema,
    schemas,
    struct_at,
    struct_places,
    structs,
    tables,
)

EXAMPLES = settings(max_examples=50, suppress_health_check=list(HealthCheck))

Evolution = list[tuple[Struct, MigrationType]]
"""Each schema of a history, with the migration type after it."""


@st.composite
def evolutions(draw: st.DrawFn, most_steps: int = 4) -> Evolution:
    now = draw(schemas())
    history = MigrationType.of(schema_of(now))
    evolution = [(now, history)]
    for _ in range(draw(st.integers(1, most_steps))):
        now = draw(permitted_steps([schema for schema, _ in evolution]))
        history = history.evolve(schema_of(now))
        evolution.append((now, history))
    return evolution


def migrated(table: pa.Table, history: MigrationType, target: Struct) -> pa.Table:
    result = history.migration_to(schema_of(target)).apply(table)
    result.validate(full=True)
    return result


class TestData:
    @EXAMPLES
    @given(data=st.data(), evolution=evolutions())
    def test_every_path_gives_the_same(self, data: st.DataObject, evolution: Evolution) -> None:
        """Step by step, at once, or over any schema in between: also what makes migrations associative."""
        first, (last, history) = evolution[0][0], evolution[-1]
        table = data.draw(tables(first))
        stepwise = table
        for following, after in evolution[1:]:
            stepwise = migrated(stepwise, after, following)
        at_once = migrated(table, history, last)
        between, then = data.draw(st.sampled_from(evolution))
        assert at_once.equals(stepwise)
        assert at_once.equals(migrated(migrated(table, then, between), history, last))

    @EXAMPLES
    @given(data=st.data(), evolution=evolutions())
    def test_the_result_is_exactly_of_the_target_and_says_the_same(
        self, data: st.DataObject, evolution: Evolution
    ) -> None:
        """From the first schema: Arrow's type to the letter, as many rows, and what the seed says of each value."""
        last, history = evolution[-1]
        source = evolution[0][0]
        table = data.draw(tables(source))
        result = migrated(table, history, last)
        assert result.schema.equals(schema_of(last), check_metadata=True)
        assert result.num_rows == table.num_rows
        assert result.to_pylist() == [value_after(row, source, last) for row in table.to_pylist()]

    @EXAMPLES
    @given(data=st.data(), evolution=evolutions())
    def test_migration_and_projection_commute(self, data: st.DataObject, evolution: Evolution) -> None:
        source, (last, history) = evolution[0][0], evolution[-1]
        table = data.draw(tables(source))
        part = data.draw(projections(last))
        whole = migrated(table, history, last)
        assert migrated(table, history, part).equals(migrated(whole, MigrationType.of(schema_of(last)), part))

    @EXAMPLES
    @given(data=st.data(), evolution=evolutions(most_steps=2))
    def test_the_latest_schema_changes_nothing(self, data: st.DataObject, evolution: Evolution) -> None:
        last, history = evolution[-1]
        table = data.draw(tables(last))
        assert history.migration_to(schema_of(last)).is_noop
        assert migrated(table, history, last).equals(table)


def value_after(value: Any, source: DataType, target: DataType) -> Any:
    """A value of Python after a migration: what was deleted is gone, what was added is null, the rest stays."""
    if value is None:
        return None
    match source, target:
        case Struct(), Struct():
            before = {field.name: field.type for field in source.fields}
            return {
                field.name: value_after(value[field.name], before[field.name], field.type)
                if field.name in before
                else None
                for field in target.fields
            }
        case ListOf(), ListOf():
            return [value_after(element, source.element.type, target.element.type) for element in value]
        case MapOf(), MapOf():
            return [
                (value_after(key, source.key, target.key), value_after(inner, source.value.type, target.value.type))
                for key, inner in value
            ]
        case _:
            return value


class TestRefusals:
    @EXAMPLES
    @given(evolution=evolutions())
    def test_a_forbidden_change_is_refused_and_changes_nothing(self, evolution: Evolution) -> None:
        history = evolution[-1][1]
        before = json.dumps(history.to_json())
        for rule, path, illegal in forbidden_changes(evolution):
            with pytest.raises(SchemaRefused) as refused:
                history.evolve(schema_of(illegal))
            assert (refused.value.rule, refused.value.path) == (rule, text_of(path))
        assert json.dumps(history.to_json()) == before

    @EXAMPLES
    @given(evolution=evolutions())
    def test_without_the_deleted_fields_what_was_deleted_could_be_made_again(self, evolution: Evolution) -> None:
        """The witness that they are needed: the latest schema alone permits what the migration type refuses."""
        last = evolution[-1][0]
        changes = forbidden_changes(evolution)
        again = [illegal for rule, _, illegal in changes if rule is EvolutionRule.DELETED_BEFORE]
        assume(again)
        forgetful = MigrationType.of(schema_of(last))
        for illegal in again:
            assert forgetful.evolve(schema_of(illegal)).current() == schema_of(illegal)

    def test_without_the_deleted_fields_two_paths_would_differ(self) -> None:
        with_a, without = schema(a="int64"), schema()
        table = pa.table({"a": [1]})
        there = MigrationType.of(with_a).migration_to(without).apply(table)
        and_back = MigrationType.of(without).migration_to(with_a).apply(there)
        at_once = MigrationType.of(with_a).migration_to(with_a).apply(table)
        assert and_back.to_pylist() == [{"a": None}]
        assert at_once.to_pylist() == [{"a": 1}]
        with pytest.raises(ReaderFenced):
            MigrationType.of(with_a).evolve(without).migration_to(with_a)


def forbidden_changes(evolution: Evolution) -> Iterator[tuple[EvolutionRule, Path, Struct]]:
    """Every change of one field that breaks a rule, with the rule, the field, and the schema with it."""
    now = evolution[-1][0]
    for place in struct_places(now):
        struct = struct_at(now, place.path)
        ever = set().union(*(names_at(schema, place.path) for schema, _ in evolution))
        deleted = sorted(ever - names_at(now, place.path))
        for rule, name, fields in _forbidden_fields(struct, deleted, place.within_key):
            changed = replace(struct, fields=tuple(fields))
            yield rule, (*place.path, name), at_struct(now, place.path, replacing(changed))


def replacing(struct: Struct) -> Callable[[Struct], Struct]:
    return lambda _: struct


def _forbidden_fields(
    struct: Struct, deleted: list[str], within_key: bool
) -> Iterator[tuple[EvolutionRule, str, list[DataField]]]:
    fields = list(struct.fields)
    yield EvolutionRule.ADDED_NOT_NULL, "new", [DataField("new", Primitive("int8"), nullable=False), *fields]
    for name in deleted:
        yield EvolutionRule.DELETED_BEFORE, name, [*fields, DataField(name, Primitive("int8"), nullable=True)]
    for spot, field in enumerate(fields):
        others = fields[:spot], fields[spot + 1 :]
        other_type = Primitive("date64[ms]")
        yield EvolutionRule.TYPE_CHANGED, field.name, [*others[0], replace(field, type=other_type), *others[1]]
        if field.nullable:
            yield EvolutionRule.NULL_FORBIDDEN, field.name, [*others[0], replace(field, nullable=False), *others[1]]
        if spot:
            yield (
                EvolutionRule.REORDERED,
                fields[spot - 1].name,
                [*fields[: spot - 1], field, fields[spot - 1], *others[1]],
            )
        if within_key:
            yield EvolutionRule.MAP_KEY, field.name, [*others[0], *others[1]]


class TestReaders:
    @EXAMPLES
    @given(data=st.data(), evolution=evolutions())
    def test_a_projection_of_the_latest_is_never_fenced(self, data: st.DataObject, evolution: Evolution) -> None:
        last, history = evolution[-1]
        part = data.draw(projections(last))
        assert history.migration_to(schema_of(part)).target == part

    @EXAMPLES
    @given(data=st.data(), evolution=evolutions(most_steps=2))
    def test_a_reader_is_fenced_if_and_only_if_what_it_reads_was_deleted_or_made_nullable(
        self, data: st.DataObject, evolution: Evolution
    ) -> None:
        """So a change that is forward-compatible, or of a column projected away, never fences.

        Nor is a map with more in its keys what it was: without that, two keys could be equal.
        """
        before, history = evolution[-1]
        reader = data.draw(st.just(before) | projections(before))
        after = data.draw(permitted_steps([schema for schema, _ in evolution]))
        made = history.migration_to(schema_of(after)).changes
        harmful = {change.path for change in made if change.kind is not ChangeKind.ADDED}
        harmful |= {change.path.partition(".key.")[0] for change in made if ".key." in change.path}
        evolved = history.evolve(schema_of(after))
        if harmful & {text_of(path) for path in places(reader)}:
            with pytest.raises(ReaderFenced):
                evolved.migration_to(schema_of(reader))
        else:
            assert evolved.migration_to(schema_of(reader)).target == reader

    @EXAMPLES
    @given(data=st.data(), evolution=evolutions())
    def test_a_reader_that_is_not_fenced_reads_what_there_is(self, data: st.DataObject, evolution: Evolution) -> None:
        """Of data under any schema that the version it reads has had."""
        last, history = evolution[-1]
        reader = data.draw(projections(evolution[0][0]))
        source = data.draw(st.sampled_from([schema for schema, _ in evolution]))
        table = data.draw(tables(source))
        try:
            result = migrated(table, history, reader)
        except ReaderFenced:
            return
        latest = [value_after(row, source, last) for row in table.to_pylist()]
        assert result.to_pylist() == [value_after(row, last, reader) for row in latest]

    @EXAMPLES
    @given(evolution=evolutions())
    def test_a_migration_type_survives_json(self, evolution: Evolution) -> None:
        for following, history in evolution:
            stored = MigrationType.from_json(json.loads(json.dumps(history.to_json(), sort_keys=True)))
            assert stored == history
            assert struct_of(stored.current()) == following == live(history.struct)


@st.composite
def projections(draw: st.DrawFn, type_: Struct) -> Struct:
    paths = [path for path in places(type_) if not {"element", "key", "value"} & set(path)]
    return projection(type_, draw(st.lists(st.sampled_from(paths), max_size=4)) if paths else [])


def places(type_: DataType, at: Path = ()) -> Iterator[Path]:
    """The paths to all fields and contents within a type."""
    match type_:
        case Struct(fields):
            for field in fields:
                yield (*at, field.name)
                yield from places(field.type, (*at, field.name))
        case ListOf(element):
            yield (*at, "element")
            yield from places(element.type, (*at, "element"))
        case MapOf(key, value):
            yield (*at, "value")
            yield from places(key, (*at, "key"))
            yield from places(value.type, (*at, "value"))


def _sortable_types() -> st.SearchStrategy[DataType]:
    """Types of which all values can be listed: bits, structs and short lists."""
    bit: st.SearchStrategy[DataType] = st.just(Primitive("int8"))
    return st.recursive(
        bit,
        lambda inner: st.one_of(structs(inner), st.builds(ListOf, st.builds(Content, inner, st.booleans()))),
        max_leaves=3,
    )


class TestOrder:
    @pytest.mark.slow
    @settings(EXAMPLES, max_examples=300)
    @given(data=st.data(), sorted_as=structs(_sortable_types(), least=1))
    def test_rows_stay_sorted_as_brute_force_says(self, data: st.DataObject, sorted_as: Struct) -> None:
        """All rows that there can be, sorted: some are out of order after the migration, or none is."""
        target = data.draw(permitted_steps([sorted_as]))
        names = [field.name for field in sorted_as.fields]
        key = data.draw(st.none() | st.lists(st.sampled_from(names), unique=True))
        assume(count_of(sorted_as) <= 3_000)
        rows = sorted(all_values(sorted_as), key=lambda row: order_of(row, sorted_as, key))
        after = [value_after(row, sorted_as, target) for row in rows]
        left = None if key is None else [name for name in key if name in {field.name for field in target.fields}]
        if key is None:
            left = [name for name in names if name in {field.name for field in target.fields}]
        sorts = [order_of(row, target, left) for row in after]
        stays_sorted = all(one <= other for one, other in pairwise(sorts))
        assert keeps_order(sorted_as, target, key) is stays_sorted


def all_values(type_: DataType) -> list[Any]:
    match type_:
        case Struct(fields):
            return [
                dict(zip((field.name for field in fields), values, strict=True))
                for values in product(*(_all_contents(field) for field in fields))
            ]
        case ListOf(element):
            return [list(values) for length in range(3) for values in product(_all_contents(element), repeat=length)]
        case _:
            return [0, 1]


def _all_contents(content: DataField | Content) -> list[Any]:
    return [*([None] if content.nullable else []), *all_values(content.type)]


def count_of(type_: DataType) -> int:
    match type_:
        case Struct(fields):
            count = 1
            for field in fields:
                count *= count_of(field.type) + field.nullable
            return count
        case ListOf(element):
            each = count_of(element.type) + element.nullable
            return 1 + each + each * each
        case _:
            return 2


def order_of(value: Any, type_: DataType, key: list[str] | None = None) -> Any:
    """What a value sorts by: nulls first, structs field by field, lists element by element."""
    if value is None:
        return (0,)
    match type_:
        case Struct(fields):
            types = {field.name: field.type for field in fields}
            return (1, *(order_of(value[name], types[name]) for name in (types if key is None else key)))
        case ListOf(element):
            return (1, *(order_of(inner, element.type) for inner in value))
        case _:
            return (1, value)
