"""owners: people and teams that own namespaces, datasets and jobs."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.vocabulary import (
    KEY,
    SAME,
    TIMESTAMP,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Row,
    Table,
    TableStream,
    Unique,
)
from lineage_core.model.meaning.labels import labelled, owners
from lineage_core.openlineage.events import Event
from lineage_core.openlineage.identity import owner_uuid

FIRST = Earliest("first_event")


def rows(event: Event) -> Iterator[Row]:
    names = (owner.name for facets, path in labelled(event) for owner in owners(facets, path) or ())
    for name in dict.fromkeys(names):
        yield {"uuid": owner_uuid(name), "created_at": event.time, "name": name}


TABLE = Table(
    name="owners",
    doc="People and teams that own datasets and jobs, as events say, or namespaces, as operators say.",
    rows=rows,
    open_to_operators=True,
    columns=(
        Column("uuid", UUID, SAME, "Follows from the name.", nullable=False),
        Column(
            "created_at",
            TIMESTAMP,
            FIRST,
            "Time of the first event that named the owner, in UTC; if none did, when a person did.",
            nullable=False,
        ),
        Column("name", VARCHAR, KEY, "Name of the person or team, of any length.", nullable=False),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "owners_name_key"),),
    stream=TableStream(event_time=("created_at",)),
)
