"""Answers that fit into what an agent can read, and that say so where they were cut to fit."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from lineage_core.command_line.results import json_text

MOST_CHARACTERS = 20_000
"""Of the JSON of one answer: some 6,000 tokens."""

LONGEST_TEXT = 1_000
"""Characters of one text within an answer: an error message of a job may be a megabyte."""

Document = dict[str, Any]
Ask = Callable[[int], Mapping[str, Any]]
"""Asks for an answer of at most so many things."""


def fitted(
    ask: Ask,
    limit: int,
    *,
    halves: Callable[[Document], bool],
    after: str | None = None,
    most: int = MOST_CHARACTERS,
) -> Document:
    """The answer as plain JSON values, with `complete`, `next` and `cut`, in at most `most` characters.

    halves: whether an answer that is too large is asked for again with half the limit, as `next` goes on behind it: so
    pages together lack nothing. What is still too large loses the ends of its lists, and texts lose theirs: `complete`
    is false then, and `cut` says what there was. after: the cursor of a later page, which has only what no earlier page
    had, so that it is not complete by itself.
    """
    found = _asked(ask, limit)
    while limit > 1 and _size(found) > most and halves(found):
        limit //= 2
        found = _asked(ask, limit)
    found.setdefault("next", None)
    cut = [str(one) for one in found.pop("cut", [])]
    if after is not None:
        cut.append("this is a later page: add what the pages before it had before you count anything")
    if _shorten_texts(found):
        cut.append(f"texts of more than {LONGEST_TEXT:,} characters end in [...]")
    whole = {name: len(value) for name, value in found.items() if isinstance(value, list)}
    while _size(answer := _stated(found, [*cut, *_lacking(found, whole)])) > most:
        if not _cut_largest(found, whole):
            break
    return answer


def _asked(ask: Ask, limit: int) -> Document:
    found: Document = json.loads(json_text(ask(limit)))
    return found


def _size(found: object) -> int:
    return len(json.dumps(found))


def _stated(found: Document, cut: list[str]) -> Document:
    """The answer, which begins with what is to be known of the rest."""
    return {"complete": bool(found["complete"]) and not cut, "next": found["next"], "cut": cut} | {
        name: value for name, value in found.items() if name not in ("complete", "next")
    }


def _cut_largest(found: Document, names: Iterable[str]) -> bool:
    """Takes the end off the largest of these lists. False if all are empty."""
    largest = max(names, key=lambda name: _size(found[name]), default=None)
    if largest is None or not found[largest]:
        return False
    del found[largest][len(found[largest]) * 3 // 4 :]
    return True


def _lacking(found: Document, whole: dict[str, int]) -> list[str]:
    return [
        f"{name}: only the first {len(found[name])} of {count} are here, and no other page has the rest: ask for less,"
        " by a smaller depth, one direction or another thing"
        for name, count in whole.items()
        if len(found[name]) < count
    ]


def _shorten_texts(value: Any) -> bool:
    """Shortens long texts at any depth of lists and objects, in place, but no cursor. Whether there were any."""
    places = value.items() if isinstance(value, dict) else enumerate(value)
    is_shortened = False
    for place, inner in list(places):
        if isinstance(inner, dict | list):
            is_shortened |= _shorten_texts(inner)
        elif isinstance(inner, str) and len(inner) > LONGEST_TEXT and place != "next":
            value[place] = f"{inner[:LONGEST_TEXT]}[...]"
            is_shortened = True
    return is_shortened
