"""How far a long migration is, and when it will have ended."""

from __future__ import annotations

from dataclasses import dataclass

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
