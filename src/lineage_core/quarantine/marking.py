"""Where in the text of a quarantined document its fault is."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from json import JSONDecodeError, JSONDecoder

from lineage_core.openlineage.json_limits import SEARCHED

_SPACE = re.compile(r"[ \t\r\n]*")
# Numbers stay texts: a document may have a number of more digits than Python converts.
_decoder = JSONDecoder(parse_int=str, parse_float=str, parse_constant=str)


@dataclass(frozen=True)
class MarkedSpan:
    """Characters of a text, from `start` on and before `end`, numbered from 0."""

    start: int
    end: int


@dataclass(frozen=True)
class MarkedText:
    """A part of the text of a document, and what of it is at fault.

    fault: where it is in `text`; None if it is the document as a whole, or was not looked for. is_cut_before and
    is_cut_behind: whether the document has more than `text`.
    """

    text: str
    fault: MarkedSpan | None
    is_cut_before: bool
    is_cut_behind: bool


def marked_text(raw: bytes, path: str, most: int) -> MarkedText:
    """At most so many characters of a document, so that the beginning of its fault is among them.

    path: of the value at fault, as `RejectedEvent` has it. Bytes that are not UTF-8 are shown as escapes.
    """
    text = raw.decode(errors="backslashreplace")
    fault = span_of_fault(text, path) if len(raw) <= SEARCHED else None
    begin = max(fault.start - most // 2, 0) if fault is not None and fault.end > most else 0
    shown = text[begin : begin + most]
    return MarkedText(
        text=shown,
        fault=None if fault is None else MarkedSpan(fault.start - begin, min(fault.end - begin, len(shown))),
        is_cut_before=begin > 0,
        is_cut_behind=begin + most < len(text),
    )


def span_of_fault(text: str, path: str) -> MarkedSpan | None:
    """Of the value that the path names; if it is missing, or its name is unknown, of the innermost one that it would
    be within. In a text that is no JSON, of the character at which that shows, the last one if more should come.

    None if that is the whole text, or if it is nested too deeply to be read.
    """
    whole = MarkedSpan(_behind_space(text, 0), len(text.rstrip(" \t\r\n")))
    try:
        end = _end_of_value(text, whole.start)
    except JSONDecodeError as error:
        at = min(error.pos, len(text) - 1)
        return MarkedSpan(at, at + 1) if text else None
    except RecursionError:
        return None
    if end < whole.end:
        return MarkedSpan(_behind_space(text, end), whole.end)
    found, rest = whole, path.removeprefix("$")
    while rest:
        # Names may have dots and brackets: of several that the path may mean, it means the longest.
        steps = [(step, span) for step, span in _parts(text, found.start) if _leads(step, rest)]
        if not steps:
            break
        step, found = max(steps, key=lambda one: (len(one[0]), one[1].start))
        rest = rest[len(step) :]
    return None if found == whole else found


def _leads(step: str, rest: str) -> bool:
    return rest.startswith(step) and rest[len(step) : len(step) + 1] in ("", ".", "[")


def _parts(text: str, start: int) -> Iterator[tuple[str, MarkedSpan]]:
    """The members or items of the value that begins there, each with its step of a path. The text is valid JSON."""
    is_object = text[start] == "{"
    if not is_object and text[start] != "[":
        return
    at, number = _behind_space(text, start + 1), 0
    while text[at] not in "}]":
        step = f"[{number}]"
        if is_object:
            name, at = _decoder.raw_decode(text, at)
            step = f".{name}"
            at = _behind_space(text, _behind_space(text, at) + len(":"))
        end = _end_of_value(text, at)
        yield step, MarkedSpan(at, end)
        at, number = _behind_space(text, end), number + 1
        if text[at] == ",":
            at = _behind_space(text, at + 1)


def _end_of_value(text: str, start: int) -> int:
    return _decoder.raw_decode(text, start)[1]


def _behind_space(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return at if found is None else found.end()
