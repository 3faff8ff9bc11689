"""Splitting streams: whatever the form and the chunks, documents come out as they went in."""

from __future__ import annotations

import io
import json
import tracemalloc
from collections.abc import Callable, Sequence
from typing import Any

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lineage_core.openlineage.documents import KEPT_OF_LONGER, Piece, split

scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text()
objects = st.dictionaries(
    st.text(),
    st.recursive(scalars, lambda inner: st.lists(inner) | st.dictionaries(st.text(), inner), max_leaves=8),
)
Form = Callable[[Sequence[Any]], str]
FORMS: dict[str, Form] = {
    "a document a line": lambda documents: "\n".join(map(json.dumps, documents)),
    "lines that end": lambda documents: "".join(json.dumps(document) + "\r\n\n" for document in documents),
    "nothing between": lambda documents: "".join(map(json.dumps, documents)),
    "over several lines": lambda documents: "\n".join(json.dumps(document, indent=2) for document in documents),
    "an array": json.dumps,
    "an array over several lines": lambda documents: json.dumps(documents, indent=1),
    "an array with a document a line": lambda documents: "[\n" + ",\n".join(map(json.dumps, documents)) + "\n]\n",
    "an array with commas in front": lambda documents: "[ " + "\n, ".join(map(json.dumps, documents)) + "\n]",
    "an array a document": lambda documents: "\n".join(json.dumps([document]) for document in documents),
    "not only ASCII": lambda documents: json.dumps(documents, ensure_ascii=False),
}
GARBAGE = [
    b"not json",
    b"[INFO] starting",
    b"[2026-01-01 10:00:00] ready",
    b"2026-01-01 ERROR {oops}",
    b'{"a": 1, "b',
    b'{"a": [1, 2',
    b'{"a": [',
    b'{"a":',
    b'{"a": NaN}',
    b"{'a': 1}",
    b'{"a": 01}',
    b'{"a": "\\x"}',
    b"]",
    b",",
    b"}",
    b"\x00\xff\xfe",
    b'{"a":' * 3000,
]


def pieces(stream: bytes, chunk: int = 1 << 20, longest: int = 1 << 20) -> list[Piece]:
    return list(split(io.BytesIO(stream).read, chunk=chunk, longest=longest))


@given(st.lists(objects), st.sampled_from(sorted(FORMS)), st.integers(1, 40), st.booleans())
def test_documents_come_out_as_they_went_in(documents: list[Any], form: str, chunk: int, with_mark: bool) -> None:
    stream = ("\ufeff" if with_mark else "").encode() + FORMS[form](documents).encode("utf-8", "surrogatepass")
    found = pieces(stream, chunk)
    assert [piece.fault for piece in found] == [None] * len(documents)
    assert [json.loads(piece.raw.decode("utf-8", "surrogatepass")) for piece in found] == documents
    assert all(stream[piece.offset :].startswith(piece.raw) for piece in found)
    assert [piece.line for piece in found] == [1 + stream.count(b"\n", 0, piece.offset) for piece in found]


@given(st.lists(objects | st.sampled_from(GARBAGE)), st.integers(1, 40))
def test_a_broken_line_costs_only_itself(lines: list[Any], chunk: int) -> None:
    # A document between the two halves of another is a part of it.
    assume(not {b'{"a":', b"}"} <= {line for line in lines if isinstance(line, bytes)})
    written = [line if isinstance(line, bytes) else json.dumps(line).encode() for line in lines]
    found = pieces(b"\n".join(written) + b"\n", chunk)
    documents = [json.loads(piece.raw) for piece in found if piece.fault is None]
    kept_whole = [line for line in lines if not isinstance(line, bytes)]
    assert [document for document in documents if document != {"a": 1}] == [
        document for document in kept_whole if document != {"a": 1}
    ]
    assert b"".join(piece.raw for piece in found).replace(b"\n", b"") == b"".join(written)


@pytest.mark.parametrize("garbage", GARBAGE)
def test_each_broken_line_comes_out_once_with_a_reason(garbage: bytes) -> None:
    good = b'{"good": 1}'
    found = pieces(b"\n".join([good, garbage, good, garbage, good]))
    faults = [piece for piece in found if piece.fault]
    assert [piece.raw for piece in found if piece.raw == good] == [good] * 3
    assert len(faults) == 2
    assert all(garbage.endswith(piece.raw) and piece.raw for piece in faults)


@pytest.mark.parametrize("chunk", [1, 100])
def test_documents_that_are_no_objects_are_for_the_reader_to_judge(chunk: int) -> None:
    assert [piece.raw for piece in pieces(b'[1, 2]\n[{"a": 1}, 12, null, "x", {"b": 2}]\n', chunk)] == [
        b"[1, 2]",
        b'{"a": 1}',
        b"12",
        b"null",
        b'"x"',
        b'{"b": 2}',
    ]


@pytest.mark.parametrize("chunk", [1, 100])
@pytest.mark.parametrize("rubbish", [b"} {}", b" x", b"\t]", b"\x00", b' "text"', b"// why", b"\xff"])
def test_rubbish_behind_a_document_makes_its_line_none(rubbish: bytes, chunk: int) -> None:
    assert [(piece.raw, bool(piece.fault)) for piece in pieces(b'{"a": 1}' + rubbish + b'\n{"c": 3}', chunk)] == [
        (b'{"a": 1}' + rubbish, True),
        (b'{"c": 3}', False),
    ]


def test_a_line_that_breaks_off_in_a_text_costs_no_other_line() -> None:
    assert [piece.raw for piece in pieces(b'{"a": 1, "b\nmore text\n')] == [b'{"a": 1, "b', b"more text"]


@pytest.mark.parametrize("chunk", [1, 100])
def test_an_indent_belongs_to_its_line(chunk: int) -> None:
    indented = b'  {"x": [\n    {"y": oops}\n  ]}\n  {"b": 2}'
    assert [piece.raw for piece in pieces(indented, chunk)] == [b'{"x": [\n    {"y": oops}\n  ]}', b'{"b": 2}']
    behind = b'{"a": 1}    {"x": [\n    {"y": oops}\n{"b": 2}'
    assert [piece.raw for piece in pieces(behind, chunk)] == [b'{"a": 1}', b'{"x": [\n    {"y": oops}', b'{"b": 2}']


def test_a_line_that_is_nested_too_deeply_is_left_without_reading_on() -> None:
    sizes: list[int] = []
    stream = io.BytesIO(b'{"a":' * 3000 + b'\n{"b": 1}' * 100_000)

    def read(size: int) -> bytes:
        sizes.append(size)
        return stream.read(size)

    first = next(split(read, chunk=1 << 15))
    assert (first.raw, first.fault) == (b'{"a":' * 3000, "nested too deeply")
    assert sum(sizes) <= 1 << 16


def test_a_broken_document_over_several_lines_is_one_piece() -> None:
    good, broken = json.dumps({"a": [1, {"b": 2}]}, indent=2), '{\n  "a": [\n    1,\n    {\n      oops\n    }\n  ]\n}'
    first, fault, last = pieces(f"{good}\n{broken}\n{good}\n".encode())
    assert (first.raw.decode(), first.fault, last.raw.decode(), last.fault) == (good, None, good, None)
    assert (fault.raw.decode(), fault.fault) == (broken, "not JSON: expected '\"'")


@pytest.mark.parametrize(
    "stream",
    [
        '[\n  {\n    "a": 1\n  },\n  {\n    oops\n  },\n  {\n    "b": 2\n  }\n]',
        '[{\n"a": 1\n}, {\noops\n}, {\n"b": 2\n}]',
        '[ {\n  "a": 1\n  }\n, {\n  oops\n  }\n, {\n  "b": 2\n  }\n]',
        '  {"a": 1}\n  {"x": [\n  oops\n{"b": 2}\n',
    ],
)
def test_a_broken_document_leaves_the_others(stream: str) -> None:
    first, fault, last = pieces(stream.encode())
    assert (json.loads(first.raw), json.loads(last.raw)) == ({"a": 1}, {"b": 2})
    assert fault.fault
    assert b"oops" in fault.raw


@pytest.mark.parametrize("end", ["", "\n"])
def test_a_stream_that_breaks_off_gives_the_rest_as_it_is(end: str) -> None:
    good, broken = pieces(f'{{"a": 1}}\n{{"a": [1, {{"b": "c{end}'.encode())
    assert good.fault is None
    assert (broken.raw, broken.line, broken.offset) == (b'{"a": [1, {"b": "c', 2, 9)


def test_numbers_keep_their_digits() -> None:
    written = b'{"a": 1.10, "b": 1e400, "c": 12345678901234567890, "d": -0, "a": 2}'
    assert [piece.raw for piece in pieces(b"[" + written + b"," + written + b"]", chunk=3)] == [written, written]


@pytest.mark.parametrize("end", [b"\n", b""])
@pytest.mark.parametrize("between", [b" " * 8, b"\n  "])
@pytest.mark.parametrize("chunk", [10, 1 << 20])
def test_a_document_that_is_too_long_is_cut_and_the_next_is_read(end: bytes, between: bytes, chunk: int) -> None:
    long = b'{"a": [' + (b"1," + between) * KEPT_OF_LONGER + b"2]}"
    found = pieces(b'{"b": 1}\n' + long + b"\n" + b'{"c": 1}' + end, chunk, longest=KEPT_OF_LONGER + 9)
    assert [piece.raw for piece in found] == [b'{"b": 1}', long[:KEPT_OF_LONGER], b'{"c": 1}']
    assert [bool(piece.fault) for piece in found] == [False, True, False]


def test_a_broken_document_that_nothing_follows_in_reach_costs_its_line() -> None:
    text = b"text\n" * (KEPT_OF_LONGER // 2)
    first, *others = pieces(b'{"a": [\n' + text, longest=2 * KEPT_OF_LONGER)
    assert first.raw == b'{"a": ['
    assert (len(others), {piece.raw for piece in others}) == (KEPT_OF_LONGER // 2, {b"text"})


def test_garbage_without_an_end_is_cut() -> None:
    (found,) = pieces(b"x" * (5 * KEPT_OF_LONGER), longest=2 * KEPT_OF_LONGER)
    assert (found.raw, found.fault) == (
        b"x" * KEPT_OF_LONGER,
        f"longer than {2 * KEPT_OF_LONGER} bytes; the first {KEPT_OF_LONGER} are kept here",
    )


@pytest.mark.parametrize(
    ("before", "between", "after"),
    [(b"", b"\n", b""), (b"[", b",", b"]"), (b"[\n", b",\n", b"\n]")],
)
def test_a_long_stream_is_not_held_in_memory(before: bytes, between: bytes, after: bytes) -> None:
    document = json.dumps({"a": "x" * 2000}).encode()
    count = 20_000
    parts = iter([before, *[document, between] * (count - 1), document, after])
    tracemalloc.start()
    found = sum(piece.raw == document for piece in split(_reader(parts)))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert found == count
    assert peak < 12 << 20


def _reader(parts: Any) -> Callable[[int], bytes]:
    left = bytearray()

    def read(size: int) -> bytes:
        while len(left) < size and (part := next(parts, None)) is not None:
            left.extend(part)
        taken = bytes(left[:size])
        del left[:size]
        return taken

    return read
