"""owners: people and teams that own namespaces, datasets and jobs."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.events import Event
from lineage_core.identity import owner_uuid
from lineage_core.labels import labelled, owners
from lineage_core.relation import KEY, MIN, SAME, TIMESTAMP, UUID, VARCHAR, Column, Row, Table, Unique


def rows(event: Event) -> Iterator[Row]:
    said = (owner.name for facets, path in labelled(event) for owner in owners(facets, path) or ())
    for name in dict.fromkeys(said):
        yield {"uuid": owner_uuid(name), "created_at": event.time, "name": name}


TABLE = Table(
    name="owners",
    doc="People and teams that own datasets and jobs, as events say, or namespaces, as operators say.",
    rows=rows,
    open_to_operators=True,
    columns=(
        Column("uuid", UUID, SAME, "Follows from the name.", nullable=False),
        Column("created_at", TIMESTAMP, MIN, "When the owner was first named, in UTC.", nullable=False),
        Column("name", VARCHAR, KEY, "Name of the person or team, of any length.", nullable=False),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "owners_name_key"),),
)
