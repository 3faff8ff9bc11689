"""Plots as shapes of SVG: numbers become places. What a plot says in words stands beside it, as text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

WIDTH, HEIGHT = 600.0, 90.0
"""Of every plot, in its own units; a browser stretches it to the room that it has."""

MOST_OF_SLOT = 24.0
"""How wide a bar may be, where there are few."""

_SHARE_OF_SLOT = 0.8


@dataclass(frozen=True)
class PlotPoint:
    """A value at a moment; of bars it is not below zero. words: what it is, for people. kind: how it is coloured, such
    as the state of a run. run: to which it leads."""

    at: datetime | None
    value: float
    words: str
    kind: str = ""
    run: Any = None


@dataclass(frozen=True)
class PlotMark:
    """A point in its place: x, y, width and height of its bar; x and y of a line's corner, without width or height."""

    x: float
    y: float
    width: float
    height: float
    point: PlotPoint


@dataclass(frozen=True)
class Plot:
    """top, bottom: the values of its upper and its lower edge. line: the corners of its line as SVG has them; empty for
    bars."""

    top: float
    marks: tuple[PlotMark, ...]
    line: str = ""
    bottom: float = 0.0

    @property
    def middle(self) -> float:
        return (self.top + self.bottom) / 2

    @property
    def width(self) -> float:
        return WIDTH

    @property
    def height(self) -> float:
        return HEIGHT

    @property
    def first(self) -> datetime | None:
        return self.marks[0].point.at

    @property
    def last(self) -> datetime | None:
        return self.marks[-1].point.at


def bars(points: Sequence[PlotPoint]) -> Plot | None:
    """One beside the other in the order of the points, the last at the right. None without points."""
    if not points:
        return None
    top = top_of(max(point.value for point in points))
    slot = min(WIDTH / len(points), MOST_OF_SLOT)
    left = WIDTH - slot * len(points)
    return Plot(top, tuple(_bar(point, left + slot * place, slot, top) for place, point in enumerate(points)))


def line(points: Sequence[PlotPoint]) -> Plot | None:
    """Over time, which runs to the right; points without a time are left out. None without points."""
    timed = sorted(((point.at, point) for point in points if point.at is not None), key=lambda one: one[0])
    if not timed:
        return None
    greatest, least = (of(point.value for _, point in timed) for of in (max, min))
    bottom = -top_of(-least) if least < 0 else 0.0
    top = 0.0 if bottom and greatest <= 0 else top_of(greatest)
    first, span = timed[0][0], (timed[-1][0] - timed[0][0]).total_seconds()
    marks = tuple(
        PlotMark(
            round(WIDTH * (at - first).total_seconds() / span, 2) if span else WIDTH / 2,
            round(HEIGHT * (top - point.value) / (top - bottom), 2),
            0.0,
            0.0,
            point,
        )
        for at, point in timed
    )
    return Plot(top, marks, " ".join(f"{mark.x:g},{mark.y:g}" for mark in marks), bottom)


_SMALLEST = 1e-100


def top_of(greatest: float) -> float:
    """The next of 1, 2 and 5, times a power of ten, that is not below a value; 1 for nothing, and for what is too small
    to tell from it."""
    if greatest < _SMALLEST:
        return 1.0
    power = 10.0 ** (len(str(int(greatest))) - 1) if greatest >= 1 else 1.0
    while greatest < power:
        power /= 10.0
    return next(power * step for step in (1, 2, 5, 10) if power * step >= greatest)


def _bar(point: PlotPoint, left: float, slot: float, top: float) -> PlotMark:
    """A value of nothing is a line, so that one sees that it is there."""
    height = max(HEIGHT * point.value / top, 1.0)
    inset = slot * (1 - _SHARE_OF_SLOT) / 2
    return PlotMark(
        round(left + inset, 2), round(HEIGHT - height, 2), round(slot * _SHARE_OF_SLOT, 2), round(height, 2), point
    )
