"""How long work shows itself, alike in every command: what is done, how fast, and how long the rest takes.

On a terminal that is one line, drawn anew; elsewhere it is one line a minute; with `--json` it is nothing.
tests/postgres/test_shown_progress.py has the commands that do, and the reasons of those that do not.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from shutil import get_terminal_size
from typing import TextIO

from lineage_core.command_line.results import harmless

DRAW_SECONDS = 0.2
LINE_SECONDS = 60.0

_MINUTE, _HOUR = 60, 3_600
_CLEARED = "\r\x1b[K"


@dataclass(frozen=True)
class Unit:
    """What is counted: its name, how many of the number that is reported make one, and how many digits are shown."""

    name: str
    size: float = 1.0
    digits: int = 0

    def number(self, amount: float) -> str:
        return f"{amount / self.size:,.{self.digits}f}"


MEGABYTES = Unit("MB", 1e6, 1)

Total = float | Callable[[], float | None] | None
"""The whole amount; or what is left, asked once, and only if a line is shown. None if it is unknown."""


class ProgressLine:
    """The line of a command. `out` is None where there is none."""

    def __init__(self, out: TextIO | None, clock: Callable[[], float] = time.monotonic) -> None:
        self._out = out
        self._clock = clock
        self._is_terminal = out is not None and out.isatty()
        self._next = clock() + (0.0 if self._is_terminal else LINE_SECONDS)
        self._is_drawn = False

    def show(self, text: Callable[[], str]) -> None:
        """Shows what `text` gives, if it is time to show something."""
        now = self._clock()
        if self._out is None or now < self._next:
            return
        line = harmless(text()).replace("\n", " ")
        if self._is_terminal:
            self._write(_CLEARED + line[: get_terminal_size().columns - 1])
            self._is_drawn, self._next = True, now + DRAW_SECONDS
        else:
            self._write(f"{line}\n")
            self._next = now + LINE_SECONDS

    def clear(self) -> None:
        """Makes room for something else."""
        if self._is_drawn:
            self._write(_CLEARED)
            self._is_drawn = False

    def _write(self, text: str) -> None:
        if self._out is not None:
            self._out.write(text)
            self._out.flush()


class Progress:
    """Of work whose amount is counted: called with how much of it is done, and with the whole amount where that is
    known only then."""

    def __init__(
        self,
        what: str,
        unit: Unit,
        total: Total,
        line: ProgressLine,
        clock: Callable[[], float],
        started: float | None = None,
    ) -> None:
        """started: when, by that clock; now, without it."""
        self._what = what
        self._unit = unit
        self._total = total
        self._line = line
        self._clock = clock
        self._started = clock() if started is None else started

    def __call__(self, done: float, total: float | None = None) -> None:
        if total is not None:
            self._total = total
        self._line.show(lambda: self._text(done))

    def clear(self) -> None:
        self._line.clear()

    def _text(self, done: float) -> str:
        number, name = self._unit.number, self._unit.name
        rate = done / max(self._clock() - self._started, 1e-3)
        if callable(self._total):
            left = self._total()
            self._total = None if left is None else done + left
        if self._total is None:
            return f"{self._what}: {number(done)} {name}, {number(rate)} a second"
        rest = f", {duration((self._total - done) / rate)} left" if rate and done < self._total else ""
        return f"{self._what}: {number(done)} of {number(self._total)} {name}, {number(rate)} a second{rest}"


class StepProgress:
    """Of work in steps, one after the other: called with the name of the step, how much of it is done, and its whole
    amount, if that is known. Each step has its own rate. It begins where the one before was last heard of."""

    def __init__(self, units: Mapping[str, Unit], line: ProgressLine, clock: Callable[[], float]) -> None:
        """units: of each step, by its name."""
        self._units = units
        self._line = line
        self._clock = clock
        self._step: str | None = None
        self._done = 0.0
        self._last = clock()
        self._progress: Progress | None = None

    def __call__(self, step: str, done: float, total: float | None = None) -> None:
        if self._progress is None or step != self._step or done < self._done:
            self._progress = Progress(step, self._units[step], None, self._line, self._clock, self._last)
        self._step, self._done = step, done
        self._progress(done, total)
        self._last = self._clock()

    def clear(self) -> None:
        self._line.clear()


def duration(seconds: float) -> str:
    """Such as `12 s`, `3 min` or `2.5 h`."""
    if seconds < 2 * _MINUTE:
        return f"{seconds:.0f} s"
    return f"{seconds / _MINUTE:.0f} min" if seconds < 2 * _HOUR else f"{seconds / _HOUR:.1f} h"


@contextmanager
def progress_line(*, as_json: bool, clock: Callable[[], float] = time.monotonic) -> Iterator[ProgressLine]:
    """The line on standard error, which is gone when the block ends."""
    line = ProgressLine(None if as_json else sys.stderr, clock)
    try:
        yield line
    finally:
        line.clear()


@contextmanager
def progress(
    what: str,
    unit: Unit,
    total: Total = None,
    *,
    as_json: bool,
    clock: Callable[[], float] = time.monotonic,
) -> Iterator[Progress]:
    """Shows how much of the work in the block is done."""
    with progress_line(as_json=as_json, clock=clock) as line:
        yield Progress(what, unit, total, line, clock)


@contextmanager
def step_progress(
    units: Mapping[str, Unit], *, as_json: bool = False, clock: Callable[[], float] = time.monotonic
) -> Iterator[StepProgress]:
    """Shows how much of each step of the work in the block is done."""
    with progress_line(as_json=as_json, clock=clock) as line:
        yield StepProgress(units, line, clock)
