"""Points in time as producers write them, kept as microseconds since 1970 in UTC."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from functools import lru_cache

from lineage_core.errors import RejectedEvent

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MICROSECOND = timedelta(microseconds=1)
_WRITTEN = re.compile(
    r"(?P<whole>\d{4}-\d\d-\d\d[Tt ](?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?)"
    r"(?:(?<=:\d\d:\d\d)[.,](?P<fraction>\d+))?"
    r"(?P<zone>[Zz]|[+-](?:[01]\d|2[0-3])(?::?[0-5]\d)?)?",
    re.ASCII,
)
_MICROSECOND_DIGITS = 6
_SHORT = 64
"""Characters of a time that is worth remembering."""


def microseconds(moment: datetime) -> int:
    """Microseconds since 1970 of a point in time that knows its zone, exactly."""
    return (moment - _EPOCH) // _MICROSECOND


FIRST = microseconds(datetime.min.replace(tzinfo=UTC))
LAST = microseconds(datetime.max.replace(tzinfo=UTC))
"""The first and the last time that an event may have, in microseconds since 1970. One more is past what Python's
`datetime` holds, but not past what Postgres does: so bounds are kept as numbers."""


def parse_instant(text: str, path: str) -> int:
    """Microseconds since 1970 of an ISO 8601 date-time; without a zone it is UTC, digits beyond six round half up.

    Raises RejectedEvent at `path` if the text is no point in time. The SQL function event_instant agrees.
    """
    try:
        return _known(text) if len(text) <= _SHORT else _read(text)
    except ValueError as error:
        raise RejectedEvent(str(error), path) from error


def _read(text: str) -> int:
    """Raises ValueError, which says why."""
    match = _WRITTEN.fullmatch(text.strip())
    if match is None:
        raise ValueError(f"{text[:80]!r} is not an ISO 8601 date and time")
    try:
        whole = datetime.fromisoformat(match["whole"].upper() + _zone(match["zone"]))
    except ValueError as error:
        raise ValueError(f"{text[:80]!r} is no point in time: {error}") from error
    since = microseconds(whole) + _microseconds(match["fraction"] or "")
    if not FIRST <= since <= LAST:
        raise ValueError(f"{text[:80]!r} is outside the years 1 to 9999 of UTC")
    return since


_known = lru_cache(1 << 10)(_read)
"""An event is asked for the same times by several tables, and the events of a run have them in common."""


def instant(microseconds: int) -> datetime:
    """The point in time that so many microseconds since 1970 are, in UTC."""
    return _EPOCH + timedelta(microseconds=microseconds)


def _zone(written: str | None) -> str:
    return "+00:00" if written is None or written in "Zz" else written


def _microseconds(fraction: str) -> int:
    kept = int(fraction[:_MICROSECOND_DIGITS].ljust(_MICROSECOND_DIGITS, "0"))
    return kept + (fraction[_MICROSECOND_DIGITS : _MICROSECOND_DIGITS + 1] >= "5")


def java_zoned_text(text: str, path: str) -> str:
    """The instant as Java's `ZonedDateTime` in UTC prints it: `2026-01-01T00:00Z`, seconds only if needed."""
    since = parse_instant(text, path)
    moment = instant(since)
    written = moment.strftime("%Y-%m-%dT%H:%M").rjust(len("0001-01-01T00:00"), "0")
    return f"{written}{_java_seconds(moment)}Z"


def _java_seconds(moment: datetime) -> str:
    if not moment.second and not moment.microsecond:
        return ""
    seconds = f":{moment.second:02d}"
    if not moment.microsecond:
        return seconds
    digits = f"{moment.microsecond:06d}"
    return f"{seconds}.{digits.removesuffix('000')}"
