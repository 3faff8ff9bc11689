"""Schemas of Arrow in short, and strategies for nested ones, for permitted and forbidden changes, and for rows."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any

import pyarrow as pa
from hypothesis import strategies as st
from msgspec.structs import replace

from lineage_core.evolution.arrow import FIELD_ID, schema_of
from lineage_core.evolution.data_types import Content, DataField, DataType, ListOf, MapOf, Path, Primitive, Struct


@dataclass(frozen=True)
class Required:
    """A type that is not null."""

    type: Any


@dataclass(frozen=True)
class Keyed:
    """A map."""

    key: Any
    value: Any


@dataclass(frozen=True)
class Numbered:
    """A type of a field with an id."""

    id: int
    type: Any


def schema(fields: Mapping[str, Any] | None = None, /, **named: Any) -> pa.Schema:
    """A schema by the types of its fields: a name of Arrow, a dict for a struct, a list of one for a list, `Keyed`.

    What is not `Required` is nullable.
    """
    return pa.schema([_field(name, type_) for name, type_ in {**(fields or {}), **named}.items()])


def _field(name: str, type_: Any) -> pa.Field:
    metadata = None
    if isinstance(type_, Numbered):
        metadata = {FIELD_ID: str(type_.id).encode()}
        type_ = type_.type
    nullable = not isinstance(type_, Required)
    return pa.field(name, _type(type_ if nullable else type_.type), nullable, metadata)


def _type(type_: Any) -> pa.DataType:
    match type_:
        case dict():
            return pa.struct([_field(name, inner) for name, inner in type_.items()])
        case list():
            return pa.list_(_field("item", type_[0]))
        case Keyed(key, value):
            return pa.map_(_type(key), _field("value", value))
        case str():
            return pa.type_for_alias(type_)
        case _:
            return type_


NAMES = [f"f{number}" for number in range(40)]
FEW_NAMES = tuple(NAMES[:5])
PRIMITIVES = (
    "int64",
    "string",
    "bool",
    "double",
    "int8",
    "large_string",
    "binary",
    "date32[day]",
    "timestamp[us, tz=UTC]",
    "timestamp[ms]",
    "decimal128(9, 2)",
    "fixed_size_binary[3]",
)


@cache
def data_types(names: tuple[str, ...] = FEW_NAMES) -> st.SearchStrategy[DataType]:
    """Types, nested up to three or so deep. To make a strategy anew at each draw takes longer than to draw from it."""
    primitive = st.sampled_from(PRIMITIVES).map(Primitive)
    return st.recursive(primitive, lambda inner: _nested(inner, names), max_leaves=4)


def _nested(inner: st.SearchStrategy[DataType], names: Sequence[str]) -> st.SearchStrategy[DataType]:
    contents = st.tuples(inner | structs(inner, names, least=1), st.booleans()).map(lambda drawn: Content(*drawn))
    keys = st.sampled_from(("string", "int64")).map(Primitive)
    return st.one_of(
        structs(inner, names),
        structs(inner, names),
        st.tuples(contents, st.booleans()).map(lambda drawn: ListOf(*drawn)),
        st.tuples(contents, st.just(False), st.sampled_from((0, 1, 2))).map(lambda drawn: ListOf(*drawn)),
        st.tuples(st.one_of(keys, structs(keys, names, least=1)), contents).map(lambda drawn: MapOf(*drawn)),
    )


@st.composite
def structs(
    draw: st.DrawFn, types: st.SearchStrategy[DataType], names: Sequence[str] = FEW_NAMES, least: int = 0
) -> Struct:
    chosen = draw(st.lists(st.sampled_from(names), unique=True, min_size=least, max_size=4))
    return Struct(tuple(DataField(name, draw(types), draw(st.booleans())) for name in chosen))


def schemas() -> st.SearchStrategy[Struct]:
    return structs(data_types(), least=1)


@dataclass(frozen=True)
class Place:
    """A place of a schema where something can change: a struct, or a field or content that is not null."""

    path: Path
    within_key: bool


def struct_places(type_: DataType, at: Path = (), within_key: bool = False) -> list[Place]:
    """All structs within a type, itself included. Deleted fields are none of it."""
    match type_:
        case Struct(fields):
            inner = [
                place
                for field in fields
                if not field.deleted
                for place in struct_places(field.type, (*at, field.name), within_key)
            ]
            return [Place(at, within_key), *inner]
        case ListOf(element):
            return struct_places(element.type, (*at, "element"), within_key)
        case MapOf(key, value):
            return [*struct_places(key, (*at, "key"), True), *struct_places(value.type, (*at, "value"), within_key)]
        case _:
            return []


def at_struct(type_: DataType, path: Path, change: Callable[[Struct], Struct]) -> Any:
    """The type with the struct at a path changed."""
    if not path:
        assert isinstance(type_, Struct)
        return change(type_)
    name, below = path[0], path[1:]
    match type_:
        case Struct(fields):
            return replace(
                type_,
                fields=tuple(
                    replace(field, type=at_struct(field.type, below, change))
                    if field.name == name and not field.deleted
                    else field
                    for field in fields
                ),
            )
        case ListOf(element):
            return replace(type_, element=replace(element, type=at_struct(element.type, below, change)))
        case MapOf(key, value):
            if name == "key":
                return replace(type_, key=at_struct(key, below, change))
            return replace(type_, value=replace(value, type=at_struct(value.type, below, change)))
    raise AssertionError(path)


def struct_at(type_: DataType, path: Path) -> Struct:
    found: list[Struct] = []

    def remember(struct: Struct) -> Struct:
        found.append(struct)
        return struct

    at_struct(type_, path, remember)
    return found[0]


@st.composite
def permitted_steps(draw: st.DrawFn, earlier: Sequence[Struct]) -> Struct:
    """A schema that may follow these, of which the last is the latest: up to three changes, anywhere."""
    now = earlier[-1]
    for _ in range(draw(st.integers(1, 3))):
        now = draw(_permitted_change(now, earlier))
    return now


@st.composite
def _permitted_change(draw: st.DrawFn, now: Struct, earlier: Sequence[Struct]) -> Struct:
    place = draw(st.sampled_from(struct_places(now)))
    struct = struct_at(now, place.path)
    kinds = ["add", *(["delete"] if struct.fields and not place.within_key else [])]
    kinds += ["null", "content"] if struct.fields else []
    kind = draw(st.sampled_from(kinds))
    if kind == "add":
        field = DataField(draw(st.sampled_from(_unused(now, earlier, place.path))), draw(data_types()), nullable=True)
        spot = draw(st.integers(0, len(struct.fields)))
        fields = (*struct.fields[:spot], field, *struct.fields[spot:])
    else:
        spot = draw(st.integers(0, len(struct.fields) - 1))
        field = struct.fields[spot]
        middle = {"delete": (), "null": (replace(field, nullable=True),), "content": (_with_null_content(field),)}[kind]
        fields = (*struct.fields[:spot], *middle, *struct.fields[spot + 1 :])
    return at_struct(now, place.path, lambda _: replace(struct, fields=fields))  # type: ignore[no-any-return]


def _with_null_content(field: DataField) -> DataField:
    match field.type:
        case ListOf(element):
            return replace(field, type=replace(field.type, element=replace(element, nullable=True)))
        case MapOf(_, value):
            return replace(field, type=replace(field.type, value=replace(value, nullable=True)))
        case _:
            return field


def _unused(now: Struct, earlier: Sequence[Struct], path: Path) -> list[str]:
    """Names that no field of the struct ever had."""
    used = set().union(*(names_at(type_, path) for type_ in (*earlier, now)))
    return [name for name in NAMES if name not in used]


def names_at(type_: DataType, path: Path) -> set[str]:
    """The names of the fields of the struct at a path; none if there is no such struct."""
    match type_, path:
        case Struct(fields), ():
            return {field.name for field in fields}
        case Struct(fields), (name, *below):
            return next((names_at(field.type, tuple(below)) for field in fields if field.name == name), set())
        case ListOf(element), (_, *below):
            return names_at(element.type, tuple(below))
        case MapOf(key, value), (name, *below):
            return names_at(key if name == "key" else value.type, tuple(below))
        case _:
            return set()


@cache
def values(type_: DataType) -> st.SearchStrategy[Any]:
    """Values of a type that are not null, as `pyarrow.array` takes them."""
    match type_:
        case Struct(fields):
            return st.fixed_dictionaries({field.name: _content_values(field) for field in fields})
        case ListOf(element, _, size):
            least, most = (0, 3) if size is None else (size, size)
            return st.lists(_content_values(element), min_size=least, max_size=most)
        case MapOf(key, value):
            entries = st.tuples(values(key), _content_values(value))
            return st.lists(entries, max_size=2, unique_by=lambda entry: repr(entry[0]))
        case Primitive(name):
            return _primitive_values(name)


def _content_values(content: DataField | Content) -> st.SearchStrategy[Any]:
    inner = values(content.type)
    return st.none() | inner if content.nullable else inner


def _primitive_values(name: str) -> st.SearchStrategy[Any]:
    small = st.integers(0, 3)
    kind = name.partition("[")[0].partition("(")[0]
    if kind in {"string", "large_string"}:
        return small.map(str)
    if kind in {"binary", "fixed_size_binary"}:
        return small.map(lambda number: b"%03d" % number)
    if kind == "bool":
        return st.booleans()
    if kind == "double":
        return small.map(float)
    return small


@st.composite
def tables(draw: st.DrawFn, type_: Struct, most: int = 12) -> pa.Table:
    """A table of a schema, in slices of different lengths that begin anywhere."""
    rows = draw(st.lists(values(type_), max_size=most))
    whole = pa.Table.from_pylist(rows, schema_of(type_))
    if not type_.fields:
        return whole
    cuts = sorted(draw(st.lists(st.integers(0, len(rows)), max_size=3)))
    bounds = [draw(st.integers(0, min([*cuts, len(rows)]))), *cuts, len(rows)]
    pieces = [whole.slice(start, end - start) for start, end in pairwise(bounds)]
    return pa.concat_tables(pieces)
