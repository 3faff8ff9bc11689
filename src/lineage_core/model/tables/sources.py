"""sources: where datasets lie."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.vocabulary import (
    KEY,
    OPERATOR,
    SAME,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Newest,
    Row,
    Table,
    TableStream,
    Unique,
    varchar,
)
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, Moment
from lineage_core.openlineage.identity import source_uuid

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")


@of_each(DatasetMention)
def rows(dataset: DatasetMention, moment: Moment) -> Iterator[Row]:
    source = described(dataset).source
    yield {
        "uuid": source_uuid(source.name),
        "type": "POSTGRESQL",
        "created_at": moment.time,
        "updated_at": moment.time,
        "name": source.name,
        "connection_url": source.connection_url,
    }


TABLE = Table(
    name="sources",
    doc="Where datasets lie: the dataSource facets, and `default` for datasets without one.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the name.", nullable=False, entity="sources"),
        Column("type", varchar(64), FIRST, "Always POSTGRESQL, as Marquez has it.", nullable=False),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of the first event that named it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that named it.", nullable=False),
        Column("name", VARCHAR, SAME, "Its name.", nullable=False),
        Column("connection_url", VARCHAR, LATEST, "Its address; empty if no event gave one.", nullable=False),
        Column("description", TEXT, OPERATOR, "In a person's words."),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "sources_name_key"),),
    stream=TableStream(event_time=("created_at",)),
)
