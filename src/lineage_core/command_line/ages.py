"""Ages as people write them."""

from __future__ import annotations

import re
from datetime import timedelta

from lineage_core.errors import WrongUsage

NEVER = "never"
_AGE = re.compile(r"([1-9][0-9]{0,5})([dh])")
_UNITS = {"d": timedelta(days=1), "h": timedelta(hours=1)}


def parse_age(text: str) -> timedelta | None:
    """`30d` or `12h`; None for `never`. Raises WrongUsage."""
    if text == NEVER:
        return None
    found = _AGE.fullmatch(text)
    if found is None:
        raise WrongUsage(f"{text!r} is no age; it is written as 30d, 12h or {NEVER}")
    return int(found[1]) * _UNITS[found[2]]


def written_age(age: timedelta | None) -> str:
    """As `parse_age` reads it."""
    if age is None:
        return NEVER
    hours = age // _UNITS["h"]
    return f"{hours // 24}d" if hours % 24 == 0 else f"{hours}h"
