"""Types of Spark to and from those of the algebra, and the migration of DataFrames (seed 004). No Python runs on rows.

Spark has fewer types than Arrow: an unsigned number is the next larger signed one, every timestamp is in microseconds,
a large list is a list. `as_spark_has_it` says which. The id of a field is in its metadata, under Spark's key.

Spark does not say of what it has read that it is not null. So whether a value may be null is neither asked of a
DataFrame, nor promised of one that was migrated.
"""

from __future__ import annotations

import re

from msgspec.structs import replace
from pyspark.sql import Column, DataFrame, functions, types

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import Content, DataField, DataType, ListOf, MapOf, Primitive, Struct
from lineage_core.evolution.migration_type import DataMigration
from lineage_core.evolution.rules import strangeness

FIELD_ID = "parquet.field.id"

_TYPES: dict[str, types.DataType] = {
    "null": types.NullType(),
    "bool": types.BooleanType(),
    "int8": types.ByteType(),
    "int16": types.ShortType(),
    "int32": types.IntegerType(),
    "int64": types.LongType(),
    "float": types.FloatType(),
    "double": types.DoubleType(),
    "string": types.StringType(),
    "binary": types.BinaryType(),
    "date32[day]": types.DateType(),
    "timestamp[us, tz=UTC]": types.TimestampType(),
    "timestamp[us]": types.TimestampNTZType(),
    "duration[us]": types.DayTimeIntervalType(),
}
_NAMES = {type_: name for name, type_ in _TYPES.items()}

_AS_SPARK_HAS_IT = (
    (re.compile(r"uint8"), "int16"),
    (re.compile(r"uint16"), "int32"),
    (re.compile(r"uint32"), "int64"),
    (re.compile(r"uint64"), "decimal128(20, 0)"),
    (re.compile(r"(large_)?string|string_view"), "string"),
    (re.compile(r"(large_)?binary|binary_view|fixed_size_binary\[\d+\]"), "binary"),
    (re.compile(r"decimal(?:32|64|128)(\(\d+, \d+\))"), r"decimal128\1"),
    (re.compile(r"timestamp\[\w+\]"), "timestamp[us]"),
    (re.compile(r"timestamp\[\w+, tz=.+\]"), "timestamp[us, tz=UTC]"),
    (re.compile(r"duration\[\w+\]"), "duration[us]"),
)

_DECIMAL = re.compile(r"decimal128\((\d+), (\d+)\)")


def as_spark_has_it(type_: DataType) -> DataType:
    """The type that Spark has data of this type in, nullable throughout. Raises WrongUsage if it has none."""
    match type_:
        case Struct():
            return _struct_in_spark(type_)
        case ListOf(element):
            return ListOf(Content(as_spark_has_it(element.type), True))
        case MapOf(key, value):
            return MapOf(as_spark_has_it(key), Content(as_spark_has_it(value.type), True))
        case Primitive(name):
            return Primitive(_spark_name(name))


def _struct_in_spark(struct: Struct) -> Struct:
    fields = (replace(field, type=as_spark_has_it(field.type), nullable=True) for field in struct.fields)
    return replace(struct, fields=tuple(fields))


def _spark_name(name: str) -> str:
    for pattern, known in _AS_SPARK_HAS_IT:
        if found := pattern.fullmatch(name):
            return found.expand(known)
    if name in _TYPES:
        return name
    raise WrongUsage(f"Spark has no type for {name}. Read the data as Arrow, or project the field away.")


def spark_type(type_: DataType) -> types.DataType:
    """The type of Spark. Raises WrongUsage if there is none."""
    match type_:
        case Struct(fields):
            return types.StructType([_spark_field(field) for field in fields if not field.deleted])
        case ListOf(element):
            return types.ArrayType(spark_type(element.type), element.nullable)
        case MapOf(key, value):
            return types.MapType(spark_type(key), spark_type(value.type), value.nullable)
        case Primitive(name):
            spark_name = _spark_name(name)
            if decimal := _DECIMAL.fullmatch(spark_name):
                return types.DecimalType(int(decimal[1]), int(decimal[2]))
            return _TYPES[spark_name]


def _spark_field(field: DataField) -> types.StructField:
    metadata = {} if field.id is None else {FIELD_ID: field.id}
    return types.StructField(field.name, spark_type(field.type), field.nullable, metadata)


def data_type(type_: types.DataType) -> DataType:
    """The type of the algebra. Raises WrongUsage for types of Spark alone, such as variants."""
    match type_:
        case types.StructType():
            return struct_of(type_)
        case types.ArrayType():
            return ListOf(Content(data_type(type_.elementType), type_.containsNull))
        case types.MapType():
            return MapOf(data_type(type_.keyType), Content(data_type(type_.valueType), type_.valueContainsNull))
        case types.DecimalType():
            return Primitive(f"decimal128({type_.precision}, {type_.scale})")
        case _ if type_ in _NAMES:
            return Primitive(_NAMES[type_])
    raise WrongUsage(f"{type_.simpleString()} is a type of Spark alone: no schema has it")


def struct_of(schema: types.StructType) -> Struct:
    """A schema of Spark as a struct."""
    return Struct(tuple(_data_field(field) for field in schema.fields))


def _data_field(field: types.StructField) -> DataField:
    id_ = field.metadata.get(FIELD_ID)
    return DataField(field.name, data_type(field.dataType), field.nullable, None if id_ is None else int(id_))


def migrated(frame: DataFrame, migration: DataMigration) -> DataFrame:
    """The DataFrame in the target schema, by expressions alone.

    Raises WrongUsage if it is of no schema that the migration is from.
    """
    source, history, target = map(_struct_in_spark, (struct_of(frame.schema), migration.history, migration.target))
    for why in strangeness(history, source):
        raise WrongUsage(f"The DataFrame is of no schema that this migration is from: {why}")
    by_place = frame.toDF(*(str(place) for place in range(len(source.fields))))  # names may hold dots
    places = {field.identity: place for place, field in enumerate(source.fields)}
    columns = []
    for field in target.fields:
        place = places.get(field.identity)
        column = (
            _null(field.type)
            if place is None
            else _migrated(functions.col(str(place)), source.fields[place].type, field.type)
        )
        metadata = {} if field.id is None else {FIELD_ID: field.id}
        columns.append(column.alias(field.name, metadata=metadata))
    return by_place.select(*columns)


def _migrated(value: Column, source: DataType, target: DataType) -> Column:
    """The value in the target's type. `rules.compared` has permitted the migration."""
    if source == target:
        return value
    match source, target:
        case Struct(), Struct():
            return functions.when(value.isNotNull(), _struct(value, source, target))
        case ListOf(), ListOf():
            inner, outer = source.element.type, target.element.type
            return functions.transform(value, lambda element: _migrated(element, inner, outer))
        case MapOf(), MapOf():
            with_keys = value
            if source.key != target.key:
                keys = source.key, target.key
                with_keys = functions.transform_keys(value, lambda key, _: _migrated(key, *keys))
            values = source.value.type, target.value.type
            return functions.transform_values(with_keys, lambda _, inner: _migrated(inner, *values))
        case _:
            return value


def _struct(value: Column, source: Struct, target: Struct) -> Column:
    if not target.fields:
        return functions.expr("named_struct()")
    by_place = functions.struct(
        *(_of_field(value, source, field).alias(str(place)) for place, field in enumerate(target.fields))
    )
    return by_place.cast(spark_type(target))  # which gives names and ids, by place


def _of_field(value: Column, source: Struct, field: DataField) -> Column:
    before = next((known for known in source.fields if known.identity == field.identity), None)
    if before is None:
        return _null(field.type)
    return _migrated(value.getField(before.name), before.type, field.type)


def _null(type_: DataType) -> Column:
    return functions.lit(None).cast(spark_type(type_))
