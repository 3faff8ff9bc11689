"""What becomes of a document that arrives: a row of `lineage_events`, or one of `quarantine`."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from lineage_core.errors import RejectedEvent
from lineage_core.events import Event, Kind, parse
from lineage_core.folding import RowMaker
from lineage_core.json_limits import check_characters
from lineage_core.relation import Row
from lineage_core.tables import all_tables


@dataclass(frozen=True, slots=True)
class Accepted:
    """An event, as a row of `lineage_events`. `source` says where the document came from."""

    row: Row
    raw: bytes
    source: str


@dataclass(frozen=True, slots=True)
class Refused:
    """A document that is no event: byte for byte, with the reason and the place of the fault in it."""

    raw: bytes
    reason: str
    path: str
    source: str


def judge(raw: bytes, source: str) -> Accepted | Refused:
    """Whether a document is an event that tables can take. Later it could be refused only as Postgres' jsonb writes it.

    The document itself is stored, never a text written anew from what was read.
    """
    try:
        event = parse(raw)
        check_rows(event)
        return Accepted(_row(event, raw), raw, source)
    except RejectedEvent as rejected:
        return Refused(raw, rejected.reason, rejected.path, source)


def refuse(raw: bytes, fault: str, source: str) -> Refused:
    """For a document that could not be read: half a surrogate pair is no JSON to some readers, but has a place."""
    try:
        check_characters(raw)
    except RejectedEvent as rejected:
        return Refused(raw, rejected.reason, rejected.path, source)
    return Refused(raw, fault, "$", source)


def check_rows(event: Event) -> None:
    """Raises RejectedEvent if its rows cannot be made: a facet that a table needs is malformed, perhaps."""
    for maker in _makers():
        for _ in maker.rows(event, event.order, event.earliest_order):
            pass


@cache
def _makers() -> tuple[RowMaker, ...]:
    return tuple(RowMaker(table) for table in all_tables() if table.rows is not None)


def _row(event: Event, raw: bytes) -> Row:
    """The columns that Marquez fills, as it fills them: a run event without a type has an empty one."""
    return {
        "event_time": event.time,
        "event": raw,
        "event_type": (event.event_type or "") if event.kind is Kind.RUN else None,
        "job_name": event.job.name if event.job else None,
        "job_namespace": event.job.namespace if event.job else None,
        "producer": event.producer,
        "run_uuid": event.run.uuid if event.run else None,
        "_event_type": event.kind.value,
    }
