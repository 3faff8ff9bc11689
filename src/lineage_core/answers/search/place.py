"""Where a search goes on: which names were put in order together, and behind which of them. As one text, a cursor."""

from __future__ import annotations

import json
from dataclasses import asdict, astuple, dataclass, fields
from typing import Any, TypeVar
from uuid import UUID

from lineage_core.errors import WrongUsage
from lineage_core.openlineage.json_limits import is_storable

Key = TypeVar("Key", bound="FittingName | FoundOrder")

_TYPES = {"int": int, "str": str}


@dataclass(frozen=True)
class FittingName:
    """A name, and how well the text fits it, which no event changes. named_in: the uuid of its namespace, or of the
    dataset that a column is in."""

    rank: int
    kind: str
    named_in: str
    name: str


@dataclass(frozen=True)
class FoundOrder:
    """What names are shown in the order of, among those that were put in order together."""

    rank: int
    age: int
    uses: int
    kind: str
    namespace: str
    name: str
    column: str


@dataclass(frozen=True)
class SearchPlace:
    """behind: the last name of those that were put in order before; None for the first. until: the last name of those
    that are in order now, and within: the last one shown of these; both None where they begin.

    With `until`, the same names stand together on the next page, whatever has come or gone between: else one that
    moves to the names behind could be shown twice, and one that moves to these could be passed over."""

    behind: FittingName | None = None
    until: FittingName | None = None
    within: FoundOrder | None = None

    def parameters(self) -> dict[str, Any]:
        """Of the statement."""
        return (
            _parts("behind", FittingName, self.behind)
            | _parts("until", FittingName, self.until)
            | _parts("shown", FoundOrder, self.within)
        )

    def cursor(self) -> str:
        return json.dumps({name: given and astuple(given) for name, given in vars(self).items()})


def place_of(cursor: str | None) -> SearchPlace:
    """Raises WrongUsage for a text that `cursor` does not give."""
    if cursor is None:
        return SearchPlace()
    try:
        given = json.loads(cursor)
    except (RecursionError, ValueError) as error:
        raise no_cursor(cursor) from error
    if isinstance(given, list) and len(given) == _MEMBERS_BEFORE:
        raise WrongUsage(
            f"{cursor!r} is a cursor of an earlier release, in whose order names are no longer."
            " Search anew, without it."
        )
    if not isinstance(given, dict) or given.keys() != {"behind", "until", "within"}:
        raise no_cursor(cursor)
    place = SearchPlace(
        behind=_key(FittingName, given["behind"], cursor),
        until=_key(FittingName, given["until"], cursor),
        within=_key(FoundOrder, given["within"], cursor),
    )
    if (place.until is None) != (place.within is None):
        raise no_cursor(cursor)
    return place


_MEMBERS_BEFORE = 6
"""Of a cursor, when names were in the order of their lengths."""


def _key(kind: type[Key], given: object, cursor: str) -> Key | None:
    if given is None:
        return None
    wanted = [_TYPES[str(field.type)] for field in fields(kind)]
    if not isinstance(given, list) or [type(part) for part in given] != wanted or not all(map(_is_kept, given)):
        raise no_cursor(cursor)
    key = kind(*given)
    if isinstance(key, FittingName) and not _is_uuid(key.named_in):
        raise no_cursor(cursor)
    return key


def _is_kept(part: int | str) -> bool:
    """Whether Postgres has such integers and texts."""
    if isinstance(part, int):
        return abs(part) < 1 << 31
    return is_storable(part)


def _is_uuid(text: str) -> bool:
    try:
        UUID(text)
    except ValueError:
        return False
    return True


def _parts(prefix: str, kind: type[Key], key: Key | None) -> dict[str, Any]:
    given = dict.fromkeys(field.name for field in fields(kind)) if key is None else asdict(key)
    return {f"{prefix}_{name}": value for name, value in given.items()}


def no_cursor(cursor: str) -> WrongUsage:
    return WrongUsage(f"{cursor[:100]!r} is no cursor: give `next` of the answer before, as it is")
