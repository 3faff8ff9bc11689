"""What a JSON document must keep to besides its grammar: its encoding, its characters, and how deep it is nested."""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Callable, Iterator
from itertools import accumulate
from typing import Any

from lineage_core.errors import RejectedEvent

LONGEST_DOCUMENT = 255 << 20
"""In bytes, as it comes and as Postgres writes it: jsonb ends at 256 MiB."""

DEEPEST_NESTING = 500
"""Levels of objects and lists. Marquez' parser gives up at a thousand, Postgres some thousands deeper; Python's own
limit counts the callers, too, so that a document might pass in one place and not in another."""

_CHUNK = 1 << 20
_NOT_OPENING = bytes(set(range(256)) - set(b"{["))
_NO_MARK = bytes(set(range(256)) - set(b'"{}[]'))
_STEPS = bytes.maketrans(b"{[}]", b"\x01\x01\xff\xff")
"""One level deeper, or one back: -1 as a signed byte."""


def check_encoding(text: bytes) -> None:
    """Raises RejectedEvent if it is not UTF-8; the JSON decoder does not look into what it leaves raw."""
    if text.isascii():
        return
    decoder = codecs.getincrementaldecoder("utf-8")()
    try:
        for start in range(0, len(text), _CHUNK):
            decoder.decode(text[start : start + _CHUNK])
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        raise RejectedEvent(f"not UTF-8: {error.reason}") from error


def check_nesting(text: bytes) -> None:
    """Raises RejectedEvent if it is nested too deeply; few documents have enough brackets to need a close look."""
    if len(text.translate(None, _NOT_OPENING)) > DEEPEST_NESTING and nesting(text) > DEEPEST_NESTING:
        raise RejectedEvent(f"nested more than {DEEPEST_NESTING} levels deep")


def nesting(text: bytes) -> int:
    """The deepest level of a JSON document; brackets within strings do not count.

    Without escapes, each second stretch between quotes is a string; most have no bracket and go at once.
    """
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = text.translate(None, _NO_MARK).replace(b'""', b"")
    brackets = b"".join(marks.split(b'"')[::2])
    return max(accumulate(memoryview(brackets.translate(_STEPS)).cast("b")), default=0)


_ESCAPED_NUL_OR_SURROGATE = re.compile(rb"\\u(?:0000|[dD][89a-fA-F])")
_SURROGATE_PAIR = re.compile(rb"\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}")
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
SEARCHED = 1 << 22
"""Bytes of a document in which the place of a character is looked for: that takes many times its memory."""


def check_characters(text: bytes) -> None:
    r"""Raises RejectedEvent if an escape stands for what Postgres cannot hold: `\u0000`, half a surrogate pair."""
    if _ESCAPED_NUL_OR_SURROGATE.search(text) is None:
        return
    plain = _SURROGATE_PAIR.sub(b"", text.replace(rb"\\", b""))
    if _ESCAPED_NUL_OR_SURROGATE.search(plain):
        place = _place_of_unstorable(text) if len(text) <= SEARCHED else "$"
        raise RejectedEvent("a text has \\u0000 or half a surrogate pair, which Postgres cannot hold", place)


def _place_of_unstorable(text: bytes) -> str:
    try:
        return next(places(json.loads(text), _is_unstorable), "$")
    except (ValueError, RecursionError):
        return "$"


def _is_unstorable(value: Any) -> bool:
    return isinstance(value, str) and not is_storable(value)


def is_storable(text: str) -> bool:
    """Whether Postgres can hold it: neither NUL nor half a surrogate pair is in it."""
    return _UNSTORABLE.search(text) is None


def places(value: Any, is_meant: Callable[[Any], bool], path: str = "$") -> Iterator[str]:
    """The paths of what is meant in a document as Python has it; of a member whose name is meant, that of its owner."""
    if is_meant(value):
        yield path
    elif isinstance(value, list):
        for place, item in enumerate(value):
            yield from places(item, is_meant, f"{path}[{place}]")
    elif isinstance(value, dict):
        for name, item in value.items():
            yield from [path] if is_meant(name) else places(item, is_meant, f"{path}.{name}")
