"""What becomes of a document that arrives: a row of `lineage_events`, or one of `quarantine`."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.errors import RejectedEvent
from lineage_core.events import Event, Kind, parse
from lineage_core.relation import Row


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
    """Whether a document is an event. The document itself is stored, never a text written anew from what was read."""
    try:
        return Accepted(_row(parse(raw), raw), raw, source)
    except RejectedEvent as rejected:
        return Refused(raw, rejected.reason, rejected.path, source)


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
