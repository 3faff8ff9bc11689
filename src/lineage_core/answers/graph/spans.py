"""From when until when an edge holds without a break, by what is stored of it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple


class Span(NamedTuple):
    """Places in the order of events: `since` is the first that is in it, `until` the first that is not."""

    since: bytes
    until: bytes


def joined(span: Span, others: Sequence[Span]) -> Span:
    """The span with all that overlap or touch it, or one another up to it. It may be one of them, and mostly is all."""
    if all(one == span for one in others):
        return span
    since, until = span.since, span.until
    ordered = sorted(others, key=lambda one: one.since)
    for one in ordered:
        if one.since <= until and one.until > until and one.until >= since:
            until = one.until
    for one in sorted(others, key=lambda one: one.until, reverse=True):
        if one.until >= since and one.since < since:
            since = one.since
    return Span(since, until)
