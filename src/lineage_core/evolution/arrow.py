"""Types of Arrow to and from those of the algebra, and the migration of tables. No other module here knows pyarrow.

The id of a field is in its metadata, under Parquet's key. No other metadata is part of a schema, nor are the names that
Arrow gives to the elements of lists and maps.
"""

from __future__ import annotations

import re
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import Content, DataField, DataType, ListOf, MapOf, Primitive, Struct
from lineage_core.evolution.rules import strangeness

FIELD_ID = b"PARQUET:field_id"

_PARAMETERS = re.compile(r"(?P<kind>\w+)[\[(](?P<one>[^,\])]+)(, (tz=)?(?P<two>.+))?[\])]")


def struct_of(schema: pa.Schema) -> Struct:
    """A schema as a struct. Raises WrongUsage if the id of a field is not a number."""
    return Struct(tuple(_field_of(field) for field in schema))


def schema_of(struct: Struct) -> pa.Schema:
    return pa.schema([_arrow_field(field) for field in struct.fields])


def _field_of(field: pa.Field) -> DataField:
    return DataField(field.name, _type_of(field.type), field.nullable, _id_of(field))


def _id_of(field: pa.Field) -> int | None:
    text = (field.metadata or {}).get(FIELD_ID)
    if text is None:
        return None
    try:
        id_ = int(text)
    except ValueError:
        raise WrongUsage(f"{FIELD_ID.decode()} of the field {field.name} is {text!r}, which is no number") from None
    return id_ if id_ >= 0 else None  # as Parquet writes that there is none


def _type_of(type_: pa.DataType) -> DataType:
    if pa.types.is_struct(type_):
        return Struct(tuple(_field_of(type_.field(place)) for place in range(type_.num_fields)))
    if pa.types.is_map(type_):
        return MapOf(_type_of(type_.key_type), _content_of(type_.item_field), type_.keys_sorted)
    if pa.types.is_fixed_size_list(type_):
        return ListOf(_content_of(type_.value_field), size=type_.list_size)
    if pa.types.is_list(type_) or pa.types.is_large_list(type_):
        return ListOf(_content_of(type_.value_field), large=pa.types.is_large_list(type_))
    return Primitive(str(type_))


def _content_of(field: pa.Field) -> Content:
    return Content(_type_of(field.type), field.nullable)


def _arrow_field(field: DataField) -> pa.Field:
    metadata = None if field.id is None else {FIELD_ID: str(field.id).encode()}
    return pa.field(field.name, arrow_type(field.type), field.nullable, metadata)


def arrow_type(type_: DataType) -> pa.DataType:
    match type_:
        case Struct(fields):
            return pa.struct([_arrow_field(field) for field in fields])
        case ListOf(element, large, size):
            content = pa.field("item", arrow_type(element.type), element.nullable)
            return pa.large_list(content) if large else pa.list_(content, -1 if size is None else size)
        case MapOf(key, value, keys_sorted):
            values = pa.field("value", arrow_type(value.type), value.nullable)
            return pa.map_(pa.field("key", arrow_type(key), nullable=False), values, keys_sorted)
        case Primitive(name):
            return _primitive(name)


def _primitive(name: str) -> pa.DataType:
    found = _PARAMETERS.fullmatch(name)
    if found is None:
        return pa.type_for_alias(name)
    kind, one, two = found["kind"], found["one"], found["two"]
    if kind == "timestamp":
        return pa.timestamp(one, two)
    if kind == "fixed_size_binary":
        return pa.binary(int(one))
    if kind.startswith("decimal"):
        return getattr(pa, kind)(int(one), int(two))
    return pa.type_for_alias(name)


def migrated(table: pa.Table, history: Struct, target: Struct) -> pa.Table:
    """The table in the target schema, out of any that `history` has. Only masks of nulls are copied, where slices begin
    within a byte.

    Raises WrongUsage if it is no table, or of no schema that the migration is from.
    """
    if not isinstance(table, pa.Table):
        raise WrongUsage(
            f"A migration applies to a pyarrow.Table, and not to {type(table).__module__}.{type(table).__qualname__}. A"
            " DataFrame of Spark is migrated by `lineage_core.spark.schema_changes.migrated`"
        )
    source = struct_of(table.schema)
    for why in strangeness(history, source):
        raise WrongUsage(f"The table is of no schema that this migration is from: {why}")
    if not target.fields:
        return table.select([])  # the one way to a table with rows and no column
    places = {field.identity: place for place, field in enumerate(source.fields)}
    columns = []
    for field in target.fields:
        place = places.get(field.identity)
        if place is None:
            columns.append(pa.chunked_array([_nulls(table.num_rows, field.type)]))
        else:
            columns.append(_column(table.column(place), source.fields[place].type, field.type))
    return pa.Table.from_arrays(columns, schema=schema_of(target))


def _column(column: pa.ChunkedArray, source: DataType, target: DataType) -> pa.ChunkedArray:
    return pa.chunked_array([_migrated(chunk, source, target) for chunk in column.chunks], arrow_type(target))


def _migrated(array: Any, source: DataType, target: DataType) -> Any:
    """The array with the target's type. `rules.compared` has permitted the migration."""
    match source, target:
        case Struct(), Struct():
            return _structs(array, source, target)
        case ListOf(), ListOf():
            values = _migrated(array.values, source.element.type, target.element.type)
            buffers = array.buffers()[: 1 if target.size is not None else 2]
            return _rebuilt(array, target, buffers, [values], array.offset)
        case MapOf(), MapOf():
            return _maps(array, source, target)
        case _:
            return array


def _structs(array: pa.StructArray, source: Struct, target: Struct) -> pa.StructArray:
    places = {field.identity: place for place, field in enumerate(source.fields)}
    children = []
    for field in target.fields:
        place = places.get(field.identity)
        if place is None:
            children.append(_nulls(len(array), field.type))
        else:
            children.append(_migrated(array.field(place), source.fields[place].type, field.type))
    return _rebuilt(array, target, [_mask(array)], children, 0)


def _maps(array: pa.MapArray, source: MapOf, target: MapOf) -> pa.MapArray:
    entry_type = arrow_type(target)
    keys = _migrated(array.keys, source.key, target.key)
    values = _migrated(array.items, source.value.type, target.value.type)
    fields = pa.struct([entry_type.key_field, entry_type.item_field])
    entries = pa.Array.from_buffers(fields, len(keys), [None], 0, 0, [keys, values])
    return _rebuilt(array, target, array.buffers()[:2], [entries], array.offset)


def _nulls(count: int, type_: DataType) -> pa.Array:
    """So many nulls. Below a struct that is null is no null where its fields may have none: Parquet would refuse it."""
    nulls = pa.array([None], arrow_type(type_))
    if isinstance(type_, Primitive):
        return pa.nulls(count, nulls.type)
    while len(nulls) < count:
        nulls = pa.concat_arrays([nulls, nulls])
    return nulls.slice(0, count)


def _rebuilt(array: Any, target: DataType, buffers: list[Any], children: list[Any], offset: int) -> Any:
    return pa.Array.from_buffers(arrow_type(target), len(array), buffers, array.null_count, offset, children)


def _mask(array: Any) -> pa.Buffer | None:
    """Which values are not null, from the first of a slice on: children of a slice of structs begin there, too."""
    mask = array.buffers()[0]
    if mask is None or array.null_count == 0:
        return None
    if array.offset % 8 == 0:
        return mask.slice(array.offset // 8)
    return pc.invert(pc.is_null(array)).buffers()[1]
