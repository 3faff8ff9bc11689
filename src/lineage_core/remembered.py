"""Functions that remember what they gave for their latest arguments, in a bounded number of bytes.

`functools.lru_cache` counts entries, of which one may be a thousand times as large as another. `cachetools` counts
bytes, but of the result alone, and notes the order of all uses: what comes once then pushes out what returns, and fills
the memory. With the same bytes, the rows of events that repeat nothing take 1.15 times the CPU time and 180 MiB more;
those of repeating events take the same (`benchmarks/remembering.py`).
"""

from __future__ import annotations

import sys
from collections import deque
from collections.abc import Callable, Iterable
from dataclasses import fields, is_dataclass
from functools import cache, wraps
from threading import Lock
from typing import Any, Generic, ParamSpec, TypeVar

import msgspec

Parameters = ParamSpec("Parameters")
Result = TypeVar("Result")

_UNKNOWN: Any = object()
_ENTRY = 200
"""Bytes that an entry takes besides its arguments and its result."""

_TRACE = 100
"""Bytes that the trace of an entry takes, once it is forgotten."""

_SHARE = 16
"""What takes more than this part of the bytes is not worth the many that would be forgotten for it."""

_NEW = 8
"""The part of the bytes for what was asked for once, and that for traces. So what never comes again takes little."""


def remembered(
    most_bytes: int, footprint_of: Callable[[tuple[Any, ...], Any], int] | None = None
) -> Callable[[Callable[Parameters, Result]], Callable[Parameters, Result]]:
    """Decorates a function of hashable arguments, whose results are remembered in no more than so many bytes.

    Those of named arguments are not. footprint_of: the bytes that arguments and result take together, where that is
    known without a look into all of them.
    """

    def decorate(work_out: Callable[Parameters, Result]) -> Callable[Parameters, Result]:
        memory = _Memory[Result](most_bytes)
        known, keep = memory.known, memory.keep

        @wraps(work_out)
        def asked(*key: Parameters.args, **named: Parameters.kwargs) -> Result:
            entry = None if named else known.get(key)
            if entry is not None:
                entry.is_wanted = True
                return entry.result
            found = work_out(*key, **named)
            if not named:
                keep(_Entry(key, found, footprint_of(key, found) if footprint_of else footprint((key, found))))
            return found

        return asked

    return decorate


class _Entry(Generic[Result]):
    """What is remembered of some arguments, and whether it was asked for since it was put at the end of its queue."""

    __slots__ = ("is_wanted", "key", "result", "size")

    def __init__(self, key: tuple[Any, ...], result: Result, size: int) -> None:
        self.key = key
        self.result = result
        self.size = _ENTRY + size
        self.is_wanted = False


class _Memory(Generic[Result]):
    """Entries by their arguments, in two queues: 2Q of Johnson and Shasha (VLDB 1994), with a mark in place of a move.

    An entry comes into the queue of what is new. At its end it passes into that of what returns if it was asked for
    again, else only its trace is left, by which it is known to return when it comes again. An entry that returns stays
    as long as it is asked for each time it has passed through its queue. Who finds an entry only marks it, which takes
    no lock.
    """

    def __init__(self, most_bytes: int) -> None:
        self.known: dict[tuple[Any, ...], _Entry[Result]] = {}
        self._largest = most_bytes // _SHARE
        self._traces: set[int] = set()
        self._elder_traces: set[int] = set()
        self._most_traces = most_bytes // _NEW // _TRACE
        self._new = _Queue[Result](most_bytes // _NEW)
        self._returning = _Queue[Result](most_bytes - 2 * (most_bytes // _NEW))
        self._lock = Lock()

    def keep(self, entry: _Entry[Result]) -> None:
        """Unless it is too large."""
        if entry.size > self._largest:
            return
        with self._lock:
            if entry.key in self.known:
                return
            self.known[entry.key] = entry
            trace = hash(entry.key)
            if trace in self._traces or trace in self._elder_traces:
                self._returning.add(entry)
            else:
                self._new.add(entry)
            self._make_room()

    def _make_room(self) -> None:
        for queue in (self._new, self._returning):
            while queue.bytes > queue.most_bytes:
                entry = queue.pop()
                if entry.is_wanted:
                    self._returning.add(entry)
                else:
                    self._forget(entry)

    def _forget(self, entry: _Entry[Result]) -> None:
        del self.known[entry.key]
        self._traces.add(hash(entry.key))
        if len(self._traces) > self._most_traces // 2:
            self._traces, self._elder_traces = set(), self._traces


class _Queue(Generic[Result]):
    """Entries in the order in which they came, and their bytes."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.bytes = 0
        self._entries: deque[_Entry[Result]] = deque()

    def add(self, entry: _Entry[Result]) -> None:
        entry.is_wanted = False
        self._entries.append(entry)
        self.bytes += entry.size

    def pop(self) -> _Entry[Result]:
        entry = self._entries.popleft()
        self.bytes -= entry.size
        return entry


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
