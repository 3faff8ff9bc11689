"""What a JSON document must keep to before it is decoded: its encoding, and how deep it is nested."""

from __future__ import annotations

import codecs
from itertools import accumulate

from lineage_core.errors import RejectedEvent

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
