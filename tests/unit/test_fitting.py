"""Answers of tools fit, and say what they lack."""

from __future__ import annotations

import json
from typing import Any

from hypothesis import example, given
from hypothesis import strategies as st

from lineage_core.answers.mcp.fitting import LONGEST_TEXT, fitted

MOST = 2_000
LENGTHS = st.lists(st.integers(0, 300), min_size=1, max_size=4)


def _document(lengths: list[int]) -> dict[str, Any]:
    return {"complete": True} | {f"list {place}": [*range(length)] for place, length in enumerate(lengths)}


@given(LENGTHS)
@example([36, 155, 203, 250])  # fits to the last character
def test_an_answer_fits_and_names_every_list_that_was_cut(lengths: list[int]) -> None:
    whole = _document(lengths)
    found = fitted(lambda _: _document(lengths), 50, halves=lambda _: False, most=MOST)
    assert len(json.dumps(found)) <= MOST
    cut = [name for name in whole if name.startswith("list") and found[name] != whole[name]]
    assert [one.partition(":")[0] for one in found["cut"]] == cut
    assert found["complete"] == (not cut)
    assert (found["complete"], found["cut"]) == (True, []) or len(json.dumps(whole)) > MOST * 0.9


def test_pages_are_made_smaller_before_anything_is_cut() -> None:
    asked = list[int]()

    def ask(most: int) -> dict[str, Any]:
        asked.append(most)
        return {"complete": False, "next": str(most), "nodes": ["x" * 90] * most}

    found = fitted(ask, 80, halves=lambda _: True, most=MOST)
    assert asked == [80, 40, 20]
    assert (found["next"], len(found["nodes"]), found["cut"]) == ("20", 20, [])


def test_a_later_page_is_not_complete_by_itself() -> None:
    found = fitted(lambda _: {"complete": True, "next": None, "nodes": []}, 5, halves=lambda _: True, after="5")
    assert not found["complete"]
    assert "pages before it" in found["cut"][0]


def test_long_texts_end_early_but_a_cursor_does_not() -> None:
    long = "x" * 5_000
    answer = {"complete": True, "next": long, "causes": [{"evidence": [{"says": long}]}]}
    found = fitted(lambda _: answer, 5, halves=lambda _: False)
    assert found["next"] == long
    assert found["causes"][0]["evidence"][0]["says"] == "x" * LONGEST_TEXT + "[...]"
    assert not found["complete"]
