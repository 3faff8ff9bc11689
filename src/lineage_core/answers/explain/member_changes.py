"""Which members of facets differ from the last good run, though they were steady in the good runs before."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

from lineage_core.answers.explain.described_runs import COMPLETED, ComparedRun, DescribedRun, HeldFacet

MOST_MEMBERS = 2_000
"""Of one facet; more are not compared."""

_WHOLE = "$"
_STEADY = 0.7
_UNKNOWN = 0.6
_RECURRING = 0.3
_FEW = 3
_LONGEST = 160
_BEFORE_DIFFERENCE = 40
_ABSENT = object()


@dataclass(frozen=True, slots=True)
class MemberChange:
    """One member of a facet: what it was in the last good run, and what it is.

    path: names with dots between them. steadiness: from 0 to 1, how seldom it has changed before. before, now: None
    where the member, or the facet, is not there.
    """

    facet: HeldFacet
    path: str
    before: Any
    now: Any
    steadiness: float

    @property
    def says(self) -> str:
        before, now = _shown(self.before, self.now)
        return f"{self.facet.name} {self.path}: {before} became {now}"


def member_changes(compared: ComparedRun, belongs: Callable[[HeldFacet], bool]) -> Iterator[MemberChange]:
    """The changes of facets that `belongs` chooses. Members that change from run to run are left out."""
    if compared.baseline is None:
        return
    before = compared.baseline.facets
    for key, facet in compared.run.facets.items():
        if belongs(facet) and (key not in before or before[key].uuid != facet.uuid):
            yield from _changes(compared, facet)
    if compared.run.state == COMPLETED:
        for key, facet in before.items():
            if belongs(facet) and key not in compared.run.facets and all(key in run.facets for run in compared.history):
                yield MemberChange(facet, _WHOLE, "", None, _steadiness([True] * len(compared.history), False))


def _changes(compared: ComparedRun, facet: HeldFacet) -> Iterator[MemberChange]:
    now = _members_of(compared, compared.run, facet)
    past = [_members_of(compared, run, facet) for run in compared.history]
    if past[0] is None:
        if all(members is None for members in past):
            yield MemberChange(facet, _WHOLE, None, "", _steadiness([False] * len(past), True))
        return
    before = past[0]
    for path in {**before, **(now or {})}:
        value, old = (now or {}).get(path, _ABSENT), before.get(path, _ABSENT)
        if value == old:
            continue
        steadiness = _steadiness([members.get(path, _ABSENT) for members in past if members is not None], value)
        if steadiness >= _RECURRING * _STEADY:
            yield MemberChange(facet, path, _plain(old), _plain(value), steadiness)


def _members_of(compared: ComparedRun, run: DescribedRun, facet: HeldFacet) -> dict[str, Any] | None:
    """By path; of a facet that is too large, its id alone."""
    held = run.facets.get((facet.subject, facet.name))
    if held is None:
        return None
    if held.uuid not in compared.contents:
        return {_WHOLE: str(held.uuid)}
    found = islice(members(compared.contents[held.uuid]), MOST_MEMBERS)
    return {path: without_spacing(value) for path, value in found}


def members(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """The values within a facet's content, each with its path; nothing of what every facet has."""
    match value:
        case dict():
            for name, inner in value.items():
                if not name.startswith("_"):
                    yield from members(inner, f"{path}.{name}" if path else name)
        case list():
            for place, inner in enumerate(value):
                yield from members(inner, f"{path}[{place}]")
        case _:
            yield path or _WHOLE, value


def has_more_members(value: Any) -> bool:
    """Whether not all are compared."""
    return next(islice(members(value), MOST_MEMBERS, None), None) is not None


def without_spacing(value: Any) -> Any:
    """The value as it is compared: how a text is broken into lines does not count."""
    return " ".join(value.split()) if isinstance(value, str) else value


def _steadiness(past: list[Any], now: Any) -> float:
    """Of values, the last one first: 1 if none ever changed, 0 if they change more often than seldom."""
    if len(past) < _FEW:
        return _UNKNOWN
    changes = sum(one != other for one, other in pairwise(past))
    steady = 1 - changes / (len(past) - 1)
    if steady < _STEADY:
        return 0.0
    return float(steady * _RECURRING if now in past else steady)


def _plain(value: Any) -> Any:
    return None if value is _ABSENT else value


def _shown(before: Any, now: Any) -> tuple[str, str]:
    """Both as text, from shortly before where they differ."""
    one, other = ("nothing" if value is None else str(value) or "something" for value in (before, now))
    same = next((place for place, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), 0)
    start = max(0, same - _BEFORE_DIFFERENCE)
    return _cut(one, start), _cut(other, start)


def _cut(text: str, start: int) -> str:
    end = start + _LONGEST
    return f"{'…' if start else ''}{text[start:end]}{'…' if len(text) > end else ''}"
