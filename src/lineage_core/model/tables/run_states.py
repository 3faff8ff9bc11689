"""run_states: each event that says what state its run is in."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    KEY,
    SAME,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    Row,
    Table,
    TableStream,
    unenforced,
    varchar,
)
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import key_uuid


def rows(event: Event) -> Iterator[Row]:
    if event.run is None or event.state is None:
        return
    yield {
        "uuid": state_uuid(event),
        "transitioned_at": event.time,
        "run_uuid": event.run.uuid,
        "state": event.state.value,
    }


def state_uuid(event: Event) -> bytes:
    """The state that an event brings its run to."""
    return key_uuid("run_states", event.digest.hex())


TABLE = Table(
    name="run_states",
    doc="Each event that says what state its run is in.",
    rows=rows,
    append=True,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the event.", nullable=False),
        Column("transitioned_at", TIMESTAMPTZ, SAME, "Time of the event.", nullable=False),
        Column("run_uuid", UUID, SAME, "The run.", reference=unenforced("runs")),
        Column("state", varchar(64), SAME, "RUNNING, COMPLETED, FAILED or ABORTED.", nullable=False),
    ),
    primary_key=("uuid",),
    indexes=(Index("run_states_uuid_index", "(run_uuid)", "States of a run."),),
    stream=TableStream(event_time=("transitioned_at",)),
    retention=(GoesWith("runs", "run_uuid"),),
)
