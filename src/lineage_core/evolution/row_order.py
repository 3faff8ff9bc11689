"""Whether rows that are sorted stay sorted when they migrate (seed 004, "Compaction and consolidation")."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lineage_core.errors import WrongUsage
from lineage_core.evolution.data_types import DataField, DataType, ListOf, MapOf, Primitive, Struct


def keeps_order(sorted_as: Struct, target: Struct, key: Sequence[str] | None = None) -> bool:
    """Whether rows of the schema `sorted_as` that are sorted by the columns of `key` are sorted after the migration.

    key: names of columns, in the order of sorting; all columns if None. The target is sorted by those of them that it
    has. Lists are compared element by element, structs field by field.

    What is compared is flattened: the sorted values, from the first to the last. Rows stay sorted if what is deleted
    is the end of that sequence. The last field of a struct is not, where a column comes after the struct. A field
    within a list or map never is, as the next element comes after it. Added fields are null in all rows, so they move
    none.
    """
    is_gone = False
    for stays in _compared_values(_key_columns(sorted_as, key), target):
        if stays and is_gone:
            return False
        is_gone = is_gone or not stays
    return not any(_loses_within(field, target) for field in _key_columns(sorted_as, key))


def _key_columns(sorted_as: Struct, key: Sequence[str] | None) -> list[DataField]:
    columns = {field.name: field for field in sorted_as.fields if not field.deleted}
    if key is None:
        return list(columns.values())
    if missing := [name for name in key if name not in columns]:
        raise WrongUsage(f"Rows are not sorted by {', '.join(missing)}: there is no such column in their schema")
    return [columns[name] for name in key]


def _compared_values(fields: Sequence[DataField], target: Struct | None) -> Iterator[bool]:
    """For each value that is compared, in order: whether the target has it. That a struct is null is such a value."""
    for field in fields:
        after = _same_field(field, target)
        if not isinstance(field.type, Struct):
            yield after is not None
            continue
        if field.nullable:
            yield after is not None
        inner = after.type if after is not None and isinstance(after.type, Struct) else None
        yield from _compared_values(field.type.fields, inner)


def _same_field(field: DataField, target: Struct | None) -> DataField | None:
    fields = target.fields if target is not None else ()
    return next((other for other in fields if other.identity == field.identity and not other.deleted), None)


def _loses_within(field: DataField, target: Struct) -> bool:
    """Whether a list or map that stays has lost a field of its elements."""
    after = _same_field(field, target)
    if after is None:
        return False
    if isinstance(field.type, Struct) and isinstance(after.type, Struct):
        return any(_loses_within(inner, after.type) for inner in field.type.fields)
    return isinstance(field.type, ListOf | MapOf) and _loses(field.type, after.type)


def _loses(old: DataType, new: DataType) -> bool:
    match old, new:
        case Primitive(), _:
            return False
        case Struct(fields), Struct():
            return any((after := _same_field(field, new)) is None or _loses(field.type, after.type) for field in fields)
        case ListOf(), ListOf():
            return _loses(old.element.type, new.element.type)
        case MapOf(), MapOf():
            return _loses(old.key, new.key) or _loses(old.value.type, new.value.type)
        case _:
            return True
