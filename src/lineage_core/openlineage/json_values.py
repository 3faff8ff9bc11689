"""JSON as Python's values: what others have written, whose numbers may be larger than Python reads."""

from __future__ import annotations

import json
import math
from typing import Any


def json_value(text: str | bytes) -> Any:
    """As `json.loads`, but a number of more digits than Python reads as one, and one that no float holds, is its text.

    JSON bounds no number, and Postgres holds them of 131,072 digits: such a one must not keep others from being read,
    and comes out again as it came. Raises ValueError for what is no JSON, RecursionError if it is nested too deeply.
    """
    return json.loads(text, parse_int=_whole, parse_float=_broken)


def _whole(digits: str) -> int | str:
    try:
        return int(digits)
    except ValueError:
        return digits


def _broken(digits: str) -> float | str:
    number = float(digits)
    return number if math.isfinite(number) else digits
