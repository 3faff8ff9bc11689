"""The place of a fault in the text of a quarantined document."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lineage_core.openlineage.json_limits import SEARCHED
from lineage_core.quarantine.marking import MarkedSpan, MarkedText, marked_text

MOST = 60


def marked(document: bytes | str, path: str, most: int = MOST) -> str | None:
    shown = marked_text(document.encode() if isinstance(document, str) else document, path, most)
    return None if shown.fault is None else shown.text[shown.fault.start : shown.fault.end]


@pytest.mark.parametrize(
    ("document", "path", "expected"),
    [
        ('{"job": {"name": 5}}', "$.job.name", "5"),
        (' { "job" : { "name" : [ ] , "x" : 1 } } ', "$.job.name", "[ ]"),
        ('{"inputs": [{"name": "a"}, {"name": 7}]}', "$.inputs[1].name", "7"),
        ('{"inputs": [1, [2, 3]]}', "$.inputs[1][0]", "2"),
        # What is missing is within what is there.
        ('{"job": {"name": "a"}}', "$.job.namespace", '{"name": "a"}'),
        ('{"inputs": [1, 2]}', "$.inputs[...]", "[1, 2]"),
        ('{"inputs": []}', "$.inputs[0]", "[]"),
        ('{"job": "a"}', "$.job.name", '"a"'),
        # A name with what paths are made of.
        ('{"a.b": {"c": 1}, "a": {"b": 2}}', "$.a.b.c", "1"),
        ('{"a[0]": 3, "a": [4]}', "$.a[0]", "3"),
        (r'{"\u0061": 1}', "$.a", "1"),
        # Of two members of one name the last one counts.
        ('{"a": 1, "a": 2}', "$.a", "2"),
        ('{"a": 1%s}' % ("0" * 5_000), "$.a", "10"),
        # No JSON.
        ('{"a": x}', "$", "x"),
        ('{"a": 1} more', "$", "more"),
        ('{"a": 1', "$", "1"),
        ("\ufeff{}", "$", "\ufeff"),
        (b'{"a": "\xff"', "$", "\\"),
        # The document as a whole.
        ('{"a": 1}', "$", None),
        ('{"a": 1}', "$.b", None),
        ("7", "$.b", None),
        ("", "$", None),
        ("  ", "$", " "),
        ("[" * 100_000 + "]" * 100_000, "$[0]", None),
    ],
)
def test_the_value_at_fault_is_marked(document: bytes | str, path: str, expected: str | None) -> None:
    found = marked(document, path)
    assert (found[:2] if found and len(found) > MOST // 2 else found) == expected


def test_a_fault_far_behind_the_beginning_is_shown_with_what_is_around_it() -> None:
    document = json.dumps({"a": "x" * 500, "b": 5, "c": "y" * 500})
    shown = marked_text(document.encode(), "$.b", MOST)
    at = document.index("5")
    assert shown == MarkedText(document[at - 30 : at + 30], MarkedSpan(30, 31), is_cut_before=True, is_cut_behind=True)


def test_of_a_long_value_the_beginning_is_shown() -> None:
    shown = marked_text(b'{"a": [%s0]}' % (b"1, " * 100), "$.a", MOST)
    assert shown.fault == MarkedSpan(6, MOST)
    assert (shown.is_cut_before, shown.is_cut_behind) == (False, True)


def test_a_very_large_document_is_shown_from_its_beginning() -> None:
    shown = marked_text(b'{"a": 1, "b": "%s"}' % (b"x" * SEARCHED), "$.a", MOST)
    assert (shown.text[:8], shown.fault, shown.is_cut_behind) == ('{"a": 1,', None, True)


def values() -> st.SearchStrategy[Any]:
    return st.recursive(
        st.none() | st.booleans() | st.floats(allow_nan=False) | st.text(max_size=5),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text('ab.[0]\\"', max_size=4), inner, max_size=3)
        ),
    )


@given(values(), st.data(), st.sampled_from([None, 1]))
def test_the_value_that_a_path_leads_to_is_what_is_marked(value: Any, data: st.DataObject, indent: int | None) -> None:
    """Where no names are joined so that a path means several values."""
    text, path, inner = json.dumps(value, indent=indent), "$", value
    while isinstance(inner, list | dict) and inner:
        if isinstance(inner, list):
            number = data.draw(st.integers(0, len(inner) - 1))
            path, inner = f"{path}[{number}]", inner[number]
        else:
            name = data.draw(st.sampled_from([*inner]))
            if any(other != name and ({*name, *other} & {*".["}) for other in inner) or {*name} & {*".["}:
                return
            path, inner = f"{path}.{name}", inner[name]
    found = marked(text, path, len(text) + 1)
    assert found is None if path == "$" else json.loads(found or "") == inner
