"""The limits of a JSON document hold wherever it is read, and strings do not deceive them."""

from __future__ import annotations

import json
import threading
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.facets import schema
from lineage_core.openlineage.json_limits import DEEPEST_NESTING, check_encoding, check_nesting, nesting
from lineage_core.openlineage.parsing import parse
from lineage_core.testing import dataset, facet, run_event, to_json

LEVELS_ABOVE_A_RUN_FACET = 3
"""The event, its run, the run's facets."""

BRACKETS_AND_QUOTES = st.text(st.sampled_from('{}[]"\\ax'), max_size=8)
DOCUMENTS = st.recursive(
    BRACKETS_AND_QUOTES | st.integers(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(BRACKETS_AND_QUOTES, inner, max_size=4),
    max_leaves=25,
)


def depth(document: Any) -> int:
    if isinstance(document, dict):
        return 1 + max(map(depth, document.values()), default=0)
    if isinstance(document, list):
        return 1 + max(map(depth, document), default=0)
    return 0


@given(document=DOCUMENTS, indent=st.sampled_from((None, 1)))
@example(document=["]", ["]", ["]", "[", "[", "["]]], indent=None)
@example(document={'\\"{': ["\\", '"[', "\\\\{"]}, indent=None)
@example(document=["", "{", "", "}"], indent=None)
def test_only_brackets_outside_of_strings_make_levels(document: Any, indent: int | None) -> None:
    assert nesting(json.dumps(document, indent=indent).encode()) == depth(document)


def nested(levels: int) -> bytes:
    """A valid run event with so many levels."""
    event = run_event("START", facets={"custom": facet(tree=None)})
    inner = levels - LEVELS_ABOVE_A_RUN_FACET - 1
    return to_json(event).replace(b'"tree": null', b'"tree": ' + b"[" * inner + b"]" * inner)


def in_thread(work: Callable[[], Any]) -> Any:
    done: list[Any] = []
    thread = threading.Thread(target=lambda: done.append(work()))
    thread.start()
    thread.join()
    return done[0]


def far_down(calls: int, work: Callable[[], Any]) -> Any:
    return work() if calls == 0 else far_down(calls - 1, work)


PLACES: dict[str, Callable[[Callable[[], Any]], Any]] = {
    "here": lambda work: work(),
    "in another thread": in_thread,
    "far down the stack": lambda work: far_down(300, work),
}


@pytest.mark.parametrize("place", PLACES)
def test_the_limit_is_the_same_wherever_a_document_is_read(place: str) -> None:
    def is_taken(levels: int) -> bool:
        try:
            parse(nested(levels))
        except RejectedEvent as rejected:
            assert rejected.reason == f"nested more than {DEEPEST_NESTING} levels deep"
            return False
        return True

    assert PLACES[place](lambda: [is_taken(DEEPEST_NESTING), is_taken(DEEPEST_NESTING + 1)]) == [True, False]


@pytest.mark.parametrize("levels", [1_000, 100_000, 3_000_000])
def test_documents_beyond_any_stack_are_refused(levels: int) -> None:
    with pytest.raises(RejectedEvent, match="nested"):
        parse(nested(levels))
    with pytest.raises(RejectedEvent, match="nested"):
        parse(b"[" * levels)


def test_many_brackets_side_by_side_are_no_depth() -> None:
    wide = run_event("START", outputs=[dataset(fields=[(f"column_{n}", "array<[{") for n in range(2_000)])])
    assert len(parse(to_json(wide)).outputs) == 1


def test_a_facet_that_is_read_may_be_as_deep_as_its_event() -> None:
    """Its content is decoded apart, one call further down."""
    inner = DEEPEST_NESTING - 4
    columns = b'{"schema": {"fields": [{"name": "id"}], "tree": ' + b"[" * inner + b"]" * inner + b"}}"
    raw = msgspec.json.decode(columns, type=dict[str, msgspec.Raw])
    read = far_down(300, lambda: schema.FACET.read(raw, "$"))
    assert read == schema.DatasetSchema([schema.SchemaField("id")])


@given(text=st.binary() | st.text().map(str.encode))
@example(text=b"\xed\xa0\x80")
@example(text="é".encode()[:1])
def test_what_python_reads_as_utf_8_is_taken_and_nothing_else(text: bytes) -> None:
    try:
        text.decode()
    except UnicodeDecodeError:
        with pytest.raises(RejectedEvent, match="not UTF-8"):
            check_encoding(text)
    else:
        check_encoding(text)


@pytest.mark.parametrize("cut", range(1, 5))
def test_a_character_across_the_border_of_two_pieces_is_one_character(cut: int) -> None:
    """The check reads a mebibyte at a time."""
    check_encoding(b"x" * ((1 << 20) - cut) + "😀".encode() * 2)


def test_a_document_within_the_limit_passes() -> None:
    check_nesting(b"[" * DEEPEST_NESTING + b"]" * DEEPEST_NESTING)
