"""Which values are the same. All rules of changelog streams compare by these numbers, and by nothing else.

NULL is the same as NULL and as no other value; NaN is the same as NaN; -0.0 as 0.0; decimals, times and texts are the
same by value, nested values if all in them are. Entries of a map are compared in their order.
"""

from __future__ import annotations

from collections.abc import Sequence

import pyarrow as pa
import pyarrow.compute as pc

_CODE = pa.int64()


def codes(columns: Sequence[pa.Array], rows: int) -> pa.Array:
    """A number for each of the rows: the same for rows with the same values in all columns, and for no others."""
    return combined([column_codes(column) for column in columns], rows)


def column_codes(column: pa.Array) -> pa.Array:
    """A number for each value: the same for the same values, and for no others."""
    return _plain_codes(plain(column))


def combined(numbers: Sequence[pa.Array], rows: int) -> pa.Array:
    """A number for each of the rows, by the numbers that its values have in each column."""
    if not numbers:
        return pa.repeat(pa.scalar(0, _CODE), rows)
    found, *others = (of_column.cast(_CODE) for of_column in numbers)
    for of_column in others:
        count = (pc.max(of_column).as_py() or 0) + 1
        found = _dictionary_codes(pc.add(pc.multiply(found, count), of_column))
    return found


def plain(array: pa.Array) -> pa.Array:
    """The same values without Arrow's several ways to hold them: no dictionary, no extension, one type of text."""
    if isinstance(array.type, pa.ExtensionType):
        return plain(array.storage)
    if pa.types.is_dictionary(array.type):
        return plain(array.dictionary_decode())
    for cast in _casts(array.type):
        array = array.cast(cast)
    return array


def _casts(kind: pa.DataType) -> list[pa.DataType]:
    if pa.types.is_map(kind):
        return [pa.list_(pa.struct([kind.key_field, kind.item_field]))]
    if pa.types.is_fixed_size_list(kind):
        return [pa.list_(kind.value_field)]
    if pa.types.is_string(kind) or pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
        return [pa.large_string(), pa.large_binary()]
    if pa.types.is_binary(kind) or pa.types.is_binary_view(kind):
        return [pa.large_binary()]
    return [pa.uint8()] if pa.types.is_boolean(kind) else []


def is_nested(kind: pa.DataType) -> bool:
    return bool(pa.types.is_nested(kind))


def _plain_codes(array: pa.Array) -> pa.Array:
    if pa.types.is_struct(array.type):
        return codes([array.is_valid(), *array.flatten()], len(array))
    if pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        return _dictionary_codes(_lists_as_bytes(array))
    if pa.types.is_floating(array.type):
        return _dictionary_codes(_one_zero_one_nan(array))
    if pa.types.is_null(array.type):
        return pa.repeat(pa.scalar(0, _CODE), len(array))
    return _dictionary_codes(array)


def _dictionary_codes(array: pa.Array) -> pa.Array:
    return array.dictionary_encode(null_encoding="encode").indices.cast(_CODE)


def _one_zero_one_nan(array: pa.Array) -> pa.Array:
    numbers = pc.add(array.cast(pa.float64()), 0.0)
    return pc.if_else(pc.is_nan(numbers), float("nan"), numbers)


def _lists_as_bytes(array: pa.Array) -> pa.Array:
    """Each list as the bytes of the numbers of its elements, which Arrow can compare."""
    elements = array.flatten()
    numbers = codes([elements], len(elements))
    ends = pc.multiply(pc.cumulative_sum(pc.list_value_length(array).fill_null(0).cast(_CODE)), 8)
    offsets = pa.concat_arrays([pa.array([0], _CODE), ends])
    made = pa.Array.from_buffers(pa.large_binary(), len(array), [None, offsets.buffers()[1], _buffer(numbers)])
    return pc.if_else(array.is_valid(), made, pa.scalar(None, pa.large_binary()))


def _buffer(numbers: pa.Array) -> pa.Buffer:
    return numbers.buffers()[1].slice(numbers.offset * 8, len(numbers) * 8)
