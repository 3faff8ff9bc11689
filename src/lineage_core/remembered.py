"""Functions that remember what they gave for their latest arguments, in a bounded number of bytes.

`functools.lru_cache` counts entries, of which one may be a thousand times as large as another. `cachetools` counts
bytes, but of the result alone, and notes the order of all uses. With the same bytes, the rows of repeating events take
1.2 times the CPU time and no less memory (`benchmarks/remembering.py`).
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from threading import Lock
from typing import Any, ParamSpec, TypeVar

import msgspec

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_UNKNOWN: Any = object()
_ENTRY = 200
"""Bytes that an entry takes besides its arguments and its result."""

_SHARE = 16
"""What takes more than this part of the bytes is not worth the many that would be forgotten for it."""


def remembered(
    most_bytes: int, footprint_of: Callable[[tuple[Any, ...], Any], int] | None = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Decorates a function of hashable arguments, whose results are remembered in no more than so many bytes.

    Those of named arguments are not. footprint_of: the bytes that arguments and result take together, where that is
    known without a look into all of them.

    There are two generations in place of an order of use. What is asked for again passes into the younger; when that
    has half of the bytes, the elder is forgotten.
    """

    def decorate(work_out: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        lock = Lock()
        younger: dict[Any, Result] = {}
        elder: dict[Any, Result] = {}
        held = 0

        @wraps(work_out)
        def asked(*key: Parameters.args, **named: Parameters.kwargs) -> Result:
            known: Result = younger.get(key, _UNKNOWN)
            if known is not _UNKNOWN and not named:
                return known
            found: Result = elder.get(key, _UNKNOWN)
            if found is _UNKNOWN or named:
                found = work_out(*key, **named)
            return found if named else noted(key, found)

        def noted(key: tuple[Any, ...], found: Result) -> Result:
            nonlocal younger, elder, held
            size = _ENTRY + (footprint_of(key, found) if footprint_of else footprint(key) + footprint(found))
            if size * _SHARE <= most_bytes:
                with lock:
                    if held + size > most_bytes // 2:
                        younger, elder, held = {}, younger, 0
                    younger[key] = found
                    held += size
            return found

        return asked

    return decorate


class LatestOnly:
    """What was worked out last, one thing of each kind: for what is too large to keep for all that ask in turn."""

    def __init__(self) -> None:
        self._latest: dict[str, tuple[object, Any]] = {}

    def of(self, kind: str, owner: object, work_out: Callable[[], Result]) -> Result:
        """What that owner has of the kind; that of another owner is forgotten before it is worked out."""
        if self._latest.get(kind, (_UNKNOWN,))[0] != owner:
            self._latest.pop(kind, None)
            self._latest[kind] = (owner, work_out())
        found: Result = self._latest[kind][1]
        return found


def footprint(value: Any) -> int:
    """Bytes that a value takes in memory with all that it consists of; what stands in it twice is counted twice."""
    kind = type(value)
    if kind is bytes or kind is str:
        return sys.getsizeof(value)
    if kind is msgspec.Raw:
        # `sys.getsizeof` takes the length of raw JSON from where there is none (msgspec 0.22).
        return msgspec.Raw.__basicsize__ + len(memoryview(value))
    return sys.getsizeof(value) + sum(map(footprint, _parts(value)))


def _parts(value: Any) -> Iterable[Any]:
    if isinstance(value, (tuple, list)):
        return value
    if isinstance(value, dict):
        return (part for item in value.items() for part in item)
    return [getattr(value, name) for name in _members(type(value))]  # type: ignore[arg-type] # A type is hashable.


@cache
def _members(kind: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in fields(kind)) if is_dataclass(kind) else ()
