"""How many rows the next transaction of a long migration takes, and when the migration will have ended."""

from __future__ import annotations

from dataclasses import dataclass, replace

KEPT = 0.75
"""Weight that what came before keeps beside a new measurement."""

LARGEST_STEP = 100.0
"""By how much a transaction may be larger than the one before."""

_DOUBT = 0.35
"""One measurement may be luck: of `n` of them, n / (n + doubt) of what they promise is taken."""

_NOISE = 0.2
"""Differences between single measurements that are noise; larger ones are changes, which are followed."""


@dataclass(frozen=True)
class Bounds:
    """What a transaction should take: `seconds`, and never fewer or more rows than these."""

    seconds: float
    smallest: int
    largest: int


@dataclass(frozen=True)
class Pace:
    """The times of the last transactions; older ones have less weight."""

    rows: float = 0.0
    """Sum of their rows, each by its weight."""
    seconds: float = 0.0
    """Sum of their seconds, each by its weight."""
    last: float = 0.0
    """Rows a second of the last one."""
    spread: float = 0.0
    """By which part of the rate single transactions differ from it."""
    measured: int = 0
    """How many are remembered."""

    @property
    def rate(self) -> float | None:
        """Rows a second, as the last transactions had it; None before the first."""
        return self.rows / self.seconds if self.seconds else None

    def after(self, asked: int, rows: int, seconds: float, bounds: Bounds) -> Pace:
        """The pace with one transaction more, that was `asked` for so many rows.

        The end of a range has few rows, whose time is that of beginning and ending: it says nothing of a full one.
        """
        if 2 * rows < asked and seconds < bounds.seconds:
            return self
        seconds = max(seconds, 1e-6)
        last = rows / seconds
        # What took far less than it should was mostly beginning and ending, and would be remembered as slow.
        kept = KEPT if self.seconds >= bounds.seconds / 2 else 0.0
        before = self.rate
        surprise = abs(last / before - 1) if before and kept else 0.0
        return Pace(
            rows=kept * self.rows + rows,
            seconds=kept * self.seconds + seconds,
            last=last,
            spread=kept * self.spread + (1 - KEPT) * surprise,
            measured=1 + (self.measured if kept else 0),
        )

    def next_rows(self, before: int, bounds: Bounds) -> int:
        """How many rows to take after a transaction of `before` rows.

        As the rate promises, or as the last one alone did if that was slower: to slow down is urgent, to speed up
        is not. Where the rate varies, a little less, so that a slow one does not last too long.
        """
        rate = self.rate
        if rate is None:
            return within(before, bounds)
        trust = self.measured / (self.measured + _DOUBT)
        promised = min(rate, self.last) * bounds.seconds * trust / (1 + min(self.spread, _NOISE) / 2)
        return within(int(min(promised, before * LARGEST_STEP)), bounds)

    def cut_short(self) -> Pace:
        """The pace after a transaction that the time limit ended: all that is known is that it was too slow."""
        return replace(self, rows=self.rows / 2, last=self.last / 2)


def within(rows: int, bounds: Bounds) -> int:
    """The rows between the bounds; where these contradict each other, the ceiling counts."""
    return min(max(rows, bounds.smallest), bounds.largest)


_NARROWEST, _WIDEST = 0.05, 0.9
"""A band says at least so much doubt, and at most so much that its late end is still a time."""


@dataclass(frozen=True)
class Estimate:
    """`percent` is rounded down, so that 100 means the end. The seconds are None while nothing is known of the rate."""

    percent: float
    rows_per_second: float | None
    eta_seconds: float | None
    eta_seconds_least: float | None
    eta_seconds_most: float | None


def estimate(done: int, total: int, rate: float | None, spread: float) -> Estimate:
    """From rows done, rows in all, rows a second and how far single measurements of that differ from it."""
    done = min(done, total)
    percent = 100.0 if total == done else int(1000 * done / total) / 10
    if done == total:
        return Estimate(percent, rate, 0.0, 0.0, 0.0)
    if not rate:
        return Estimate(percent, rate, None, None, None)
    likely = (total - done) / rate
    doubt = max(_NARROWEST, min(spread, _WIDEST))
    return Estimate(percent, rate, likely, likely / (1 + doubt), likely / (1 - doubt))
