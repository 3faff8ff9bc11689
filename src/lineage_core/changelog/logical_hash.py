"""A digest of what records say, whatever way Arrow or Parquet encodes them."""

from __future__ import annotations

import hashlib
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc

from lineage_core.changelog.values import plain


def logical_hash(table: pa.Table) -> str:
    """SHA-256, in hexadecimal, of the columns with their names, types and values, in their order.

    Equal for equal records, however they are divided into chunks, dictionary-encoded or compressed. It is not the
    `arrow-digest` of ODF, which has no implementation in Python.
    """
    digest = hashlib.sha256()
    for name, column in zip(table.column_names, table.columns, strict=True):
        _feed(digest, name.encode())
        _feed_array(digest, pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type))
    return digest.hexdigest()


def _feed(digest: Any, value: bytes) -> None:
    """With its length before it, so that no two sequences of values give the same bytes."""
    digest.update(len(value).to_bytes(8, "little"))
    digest.update(value)


def _feed_array(digest: Any, array: pa.Array) -> None:
    array = plain(array)
    _feed(digest, str(_type_name(array.type)).encode())
    _feed(digest, _bytes(array.is_valid().cast(pa.uint8()), 1))
    if pa.types.is_struct(array.type):
        for field, child in zip(array.type, array.flatten(), strict=True):
            _feed(digest, field.name.encode())
            _feed_array(digest, child)
    elif pa.types.is_list(array.type) or pa.types.is_large_list(array.type):
        _feed(digest, _bytes(pc.list_value_length(array).fill_null(0).cast(pa.int64()), 8))
        _feed_array(digest, array.flatten())
    elif pa.types.is_large_binary(array.type):
        filled = array.fill_null(b"")
        _feed(digest, _bytes(pc.binary_length(filled), 8))
        _feed(digest, b"".join(filled.to_pylist()))
    elif not pa.types.is_null(array.type):
        _feed(digest, _bytes(_filled(array), array.type.bit_width // 8))


def _type_name(kind: pa.DataType) -> str:
    if pa.types.is_struct(kind):
        return "struct"
    if pa.types.is_list(kind) or pa.types.is_large_list(kind):
        return "list"
    return str(kind)


def _filled(array: pa.Array) -> pa.Array:
    """With zeros in place of NULL: what lies below NULL is not a value."""
    if not array.null_count:
        return array
    zeros = pa.Array.from_buffers(array.type, 1, [None, pa.py_buffer(bytes(array.type.bit_width // 8))])
    return array.fill_null(zeros[0])


def _bytes(array: pa.Array, width: int) -> bytes:
    start = array.offset * width
    return bytes(array.buffers()[1])[start : start + len(array) * width] if len(array) else b""
