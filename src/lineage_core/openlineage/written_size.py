"""How large a document becomes when Postgres writes it: jsonb has no exponents, and a blank behind every `:` and `,`.

Nine bytes of `1e131071` are 131,072 digits there. What follows reads documents, cuts slices and stages rows by the text
that Postgres writes, so the limit is on that.
"""

from __future__ import annotations

import json
import re
from typing import Any

from lineage_core.errors import RejectedEvent
from lineage_core.openlineage.json_limits import LONGEST_DOCUMENT, SEARCHED, places

MOST_ADDED = 1 << 20
"""Bytes that the exponents of a document may add to it: eight of the longest numbers that Postgres holds."""

_FARTHEST = 131_072 + 16_383
"""Digits that Postgres' numeric has before and behind the point. It refuses what has more."""

_FIGURES = len(str(_FARTHEST))

_TEXT_OR_NUMBER = re.compile(
    rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"|-?([0-9]++)(?:\.([0-9]++))?+(?:[eE]([-+]?[0-9]++))?+', re.DOTALL
)
"""Texts are matched to be passed over."""

_ALIKE = bytes.maketrans(b"E{}[], \t\r\n", b"e" + b":" * 9)
_LEFT_OUT = b"0123456789.+-"
_NUMBER_WITH_EXPONENT = b":e:"
"""What is left of it, and of hardly anything else, without its digits and with all that may stand beside it made alike.
To look for it so takes a fifth of the time of an expression."""

_INSIDE = bytes(set(range(256)) - set(b'":, \t\r\n'))


def check_written_size(text: bytes) -> None:
    """Raises RejectedEvent if a JSON document becomes larger than may be stored."""
    added = added_by_exponents(text)
    if added > MOST_ADDED:
        raise RejectedEvent(
            f"its numbers with exponents take {added:,} bytes more when Postgres writes them out;"
            f" {MOST_ADDED:,} are allowed",
            _place_of_excess(text) if len(text) <= SEARCHED else "$",
        )
    if 2 * len(text) + added > LONGEST_DOCUMENT and (size := written_size(text)) > LONGEST_DOCUMENT:
        raise RejectedEvent(f"it takes {size:,} bytes when Postgres writes it; {LONGEST_DOCUMENT:,} are allowed")


def written_size(text: bytes) -> int:
    """Bytes that Postgres' `text::jsonb::text` has at most.

    It has fewer where the document writes letters as escapes, or one key twice.
    """
    return len(text) + added_by_exponents(text) + _added_blanks(text)


def added_by_exponents(text: bytes) -> int:
    """Bytes that the numbers of a JSON document take more, at most, when they are written without exponents."""
    if _NUMBER_WITH_EXPONENT not in b":%b:" % text.translate(_ALIKE, _LEFT_OUT):
        return 0
    return sum(_added(*match.group(0, 1, 2, 3)) for match in _TEXT_OR_NUMBER.finditer(text) if match[3])


def _added(number: bytes, whole: bytes, decimals: bytes | None, exponent: bytes) -> int:
    moved = _value(exponent)
    before = max(1, len(whole) + moved)
    behind = max(0, len(decimals or b"") - moved)
    sign = number.startswith(b"-")
    return max(0, sign + before + (1 + behind if behind else 0) - len(number))


def _value(exponent: bytes) -> int:
    """Of any length: what is farther than any number reaches counts as that."""
    figures = exponent.lstrip(b"+-0")[: _FIGURES + 1]
    value = min(int(figures or b"0"), _FARTHEST)
    return -value if exponent.startswith(b"-") else value


def _added_blanks(text: bytes) -> int:
    """One for each `:` and `,`, less the document's own.

    Without escapes, each second stretch between quotes is a text.
    """
    if b"\\" in text:
        text = text.replace(b"\\\\", b"").replace(b'\\"', b"")
    marks = text.translate(None, _INSIDE).replace(b'""', b"")
    outside = b"".join(marks.split(b'"')[::2])
    separators = outside.count(b":") + outside.count(b",")
    return 2 * separators - len(outside)


_EXCESS = object()


def _place_of_excess(text: bytes) -> str:
    """Where the number stands that is one too many."""
    added = 0

    def note(number: str) -> object:
        nonlocal added
        matched = _TEXT_OR_NUMBER.fullmatch(number.encode())
        if matched is not None and matched[3]:
            added += _added(*matched.group(0, 1, 2, 3))
        return _EXCESS if added > MOST_ADDED else None

    def is_excess(value: Any) -> bool:
        return value is _EXCESS

    try:
        document = json.loads(text, parse_float=note, parse_int=len)
    except (ValueError, RecursionError):
        return "$"
    return next(places(document, is_excess), "$")
