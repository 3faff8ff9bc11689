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
from lineage_core.model.meaning.labels import owners
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, JobMention, Moment
from lineage_core.openlineage.identity import owner_uuid

FIRST = Earliest("first_event")


@of_each(JobMention, DatasetMention)
def rows(mention: JobMention | DatasetMention, moment: Moment) -> Iterator[Row]:
    named = owners(mention.facets, f"{mention.path}.facets") or ()
    for name in dict.fromkeys(owner.name for owner in named):
        yield {"uuid": owner_uuid(name), "created_at": moment.time, "name": name}


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
