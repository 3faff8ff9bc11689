"""The types that a changelog stream stores (seed 002). What would read back from Parquet as another type, or what Spark
cannot read, is stored as another type, or refused with what to cast it to.

So a table that is stored once is stored for ever, by either engine and in whatever time zone.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

import pyarrow as pa

from lineage_core.errors import WrongUsage

Test = Callable[[pa.DataType], bool]


@dataclass(frozen=True)
class StoredAs:
    """Types that are stored as others: what documents call them, and the type that one becomes."""

    name: str
    is_one: Test
    becomes: Callable[[pa.DataType], pa.DataType]
    stored: str


@dataclass(frozen=True)
class RefusedTypes:
    """Types that are not stored: what documents call them, why, and what they are to be cast to."""

    name: str
    is_one: Test
    why: str
    cast_to: str


def _is_any(*tests: Test) -> Test:
    return lambda kind: any(test(kind) for test in tests)


def _is_timestamp(*units: str) -> Test:
    return lambda kind: pa.types.is_timestamp(kind) and kind.unit in units


def _is_zoned(kind: pa.DataType) -> bool:
    return _is_timestamp("ms", "us")(kind) and kind.tz is not None


def _is_empty_struct(kind: pa.DataType) -> bool:
    return pa.types.is_struct(kind) and not kind.num_fields


def _is_extension(kind: pa.DataType) -> bool:
    return isinstance(kind, pa.BaseExtensionType)


_NO_SPARK = "Spark cannot read it"
_NO_PARQUET = "Parquet has no such type"

REFUSED = (
    RefusedTypes(
        "`null`", pa.types.is_null, "nothing says which values will come", "the type that the column is to have"
    ),
    RefusedTypes("`timestamp[ns]`", _is_timestamp("ns"), _NO_SPARK, "timestamp[us]"),
    RefusedTypes("`time32`, `time64`", pa.types.is_time, _NO_SPARK, "string, or to int64"),
    RefusedTypes("`decimal256`", pa.types.is_decimal256, _NO_SPARK, "decimal128 of at most 38 digits, or to string"),
    RefusedTypes("`float16`", pa.types.is_float16, _NO_SPARK, "float32"),
    RefusedTypes("`duration`, intervals", _is_any(pa.types.is_duration, pa.types.is_interval), _NO_PARQUET, "int64"),
    RefusedTypes("`struct<>`", _is_empty_struct, _NO_PARQUET, "a struct with a field, or to string"),
    RefusedTypes("unions", pa.types.is_union, _NO_PARQUET, "a struct with a field for each type"),
    RefusedTypes("list views", _is_any(pa.types.is_list_view, pa.types.is_large_list_view), _NO_PARQUET, "a list"),
    RefusedTypes("run-end encoded", pa.types.is_run_end_encoded, _NO_PARQUET, "the type of its values"),
    RefusedTypes(
        "extension types, as `uuid`", _is_extension, "others do not know it", "its storage type, or to string"
    ),
)

STORED = (
    StoredAs(
        "`timestamp` with a time zone",
        _is_zoned,
        lambda kind: pa.timestamp(kind.unit, tz="UTC"),
        "the same instants in UTC",
    ),
    StoredAs(
        "`timestamp[s]`",
        _is_timestamp("s"),
        lambda kind: pa.timestamp("ms", tz=kind.tz and "UTC"),
        "`timestamp[ms]`",
    ),
    StoredAs("`date64`", pa.types.is_date64, lambda _: pa.date32(), "`date32`"),
    StoredAs(
        "`dictionary`, as of categoricals",
        pa.types.is_dictionary,
        lambda kind: stored_type(kind.value_type, "a dictionary"),
        "the type of its values",
    ),
    StoredAs(
        "`string_view`",
        pa.types.is_string_view,
        lambda _: pa.string(),
        "`string`",
    ),
    StoredAs(
        "`binary_view`",
        pa.types.is_binary_view,
        lambda _: pa.binary(),
        "`binary`",
    ),
    StoredAs(
        "`decimal32`, `decimal64`",
        _is_any(pa.types.is_decimal32, pa.types.is_decimal64),
        lambda kind: pa.decimal128(kind.precision, kind.scale),
        "`decimal128`",
    ),
)


def stored_type(kind: pa.DataType, path: str, *, may_be_null: bool = False) -> pa.DataType:
    """The type as which values of a type are stored. `path` names it in an error.

    may_be_null: whether the type `null` passes, as of a batch whose column has a type in the state. Raises WrongUsage
    for a type that is refused, at any depth.
    """
    if may_be_null and pa.types.is_null(kind):
        return kind
    for refused in REFUSED:
        if refused.is_one(kind):
            raise WrongUsage(f"`{path}` is {kind}, and {refused.why}. Cast it to {refused.cast_to}")
    for stored in STORED:
        if stored.is_one(kind):
            return stored.becomes(kind)
    return _with_stored_content(kind, path, may_be_null)


def as_stored(table: pa.Table, names: Iterable[str], *, may_be_null: bool = False) -> pa.Table:
    """A table whose columns of these names have the types as which they are stored.

    Raises WrongUsage for types that are refused, for values that a type does not hold, and for a name that is there
    twice.
    """
    _refuse_doubled(table.column_names, "The table")
    made = table
    for name in names:
        field = table.schema.field(name)
        kept = field.with_type(stored_type(field.type, name, may_be_null=may_be_null))
        if kept.type != field.type:
            made = made.set_column(made.column_names.index(name), kept, _cast(table.column(name), kept))
    return made


def _with_stored_content(kind: pa.DataType, path: str, may_be_null: bool) -> pa.DataType:
    if pa.types.is_struct(kind):
        _refuse_doubled([field.name for field in kind], path)
        return pa.struct([_stored_field(field, f"{path}.{field.name}", may_be_null) for field in kind])
    if pa.types.is_map(kind):
        key = stored_type(kind.key_type, f"{path}.key", may_be_null=may_be_null)
        return pa.map_(key, _stored_field(kind.item_field, f"{path}.value", may_be_null))
    if pa.types.is_fixed_size_list(kind):
        return pa.list_(_stored_field(kind.value_field, f"{path}.element", may_be_null), kind.list_size)
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        make = pa.large_list if pa.types.is_large_list(kind) else pa.list_
        return make(_stored_field(kind.value_field, f"{path}.element", may_be_null))
    return kind


def stored_schema(schema: pa.Schema) -> pa.Schema:
    """The columns with the types as which they are stored. Raises WrongUsage as `stored_type` does."""
    _refuse_doubled(schema.names, "The schema")
    return pa.schema([_stored_field(field, field.name, False) for field in schema], metadata=schema.metadata)


def _stored_field(field: pa.Field, path: str, may_be_null: bool) -> pa.Field:
    return field.with_type(stored_type(field.type, path, may_be_null=may_be_null))


def _cast(column: pa.ChunkedArray, field: pa.Field) -> pa.ChunkedArray:
    try:
        return column.cast(field.type)
    except (pa.ArrowInvalid, pa.ArrowNotImplementedError) as error:
        raise WrongUsage(f"`{field.name}` is stored as {field.type}, and has other values: {error}") from error


def _refuse_doubled(names: list[str], path: str) -> None:
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise WrongUsage(f"{path} has two columns {', '.join(f'`{name}`' for name in doubled)}: give them other names")
