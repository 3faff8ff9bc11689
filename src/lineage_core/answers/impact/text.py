"""Whom a change reaches, for people at a terminal."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from lineage_core.answers.graph.borders import border_lines
from lineage_core.answers.impact.model import Consumer, Impact
from lineage_core.answers.snapshots import waiting_lines


def text_lines(found: Impact) -> Iterator[str]:
    """The answer for people: how much there is first, then what is not in it, then each consumer."""
    counts = found.counts
    yield f"{counts.broken:,} broken, {counts.unknown:,} unknown, {counts.safe:,} safe, as of {found.as_of.isoformat()}"
    for one in found.datasets:
        yield f"Changed in {one.dataset}: {', '.join(one.changed) or 'no column that anybody could take'}"
        for refused in one.refused:
            yield f"Refused: {refused}"
    if not found.datasets:
        yield "Changed: no column that anybody could take"
    yield from missing_lines(found)
    for consumer in found.consumers:
        yield _consumer_line(consumer)


def _consumer_line(one: Consumer) -> str:
    return f"{one.verdict}  {one.job} -> {one.dataset or 'no dataset'}  {_columns(one)}({_details(one)})"


def _columns(one: Consumer) -> str:
    return f"{', '.join(one.columns)}  " if one.columns else ""


def _details(one: Consumer) -> str:
    read = f"read {one.last_read.isoformat()}" if one.last_read else "never read"
    return f"hop {one.hops}; {read}; {one.owner or 'no owner'}"


def missing_lines(found: Impact) -> Iterator[str]:
    """What the answer does not have, and where to look for it."""
    unknown = [one.dataset for one in found.datasets if not one.is_known]
    if unknown:
        yield f"No event gives a schema, so that it is not known what changes, of {_some(unknown)}."
    if found.unnamed:
        yield f"No event has named, so that no job is known to read them: {_some(found.unnamed)}."
    if found.undescribed:
        yield f"The file lists no columns, so that it says nothing, of {_some(found.undescribed)}."
    if "depth" in found.cut:
        yield "Not complete: more may lie behind these hops. Ask with a larger --depth, or without."
    if "walk" in found.cut:
        yield "Not complete: there are too many consumers. Ask of the datasets that are listed here in turn."
    if found.next is not None:
        yield f"Not complete: there are more. Go on by --after {found.next}"
    yield from border_lines(found.elsewhere or (), found.unasked_stores, "impact")
    yield from waiting_lines(found.waiting_since)


_FEW = 10


def _some(names: Sequence[str]) -> str:
    more = f" and {len(names) - _FEW:,} more" if len(names) > _FEW else ""
    return f"{', '.join(names[:_FEW])}{more}"
