"""tags: words that events and people put on datasets, columns and jobs."""

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
)
from lineage_core.model.meaning.labels import tags
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, JobMention, Moment
from lineage_core.openlineage.identity import tag_uuid

FIRST = Earliest("first_event")
LATEST = Newest("latest_event")


@of_each(JobMention, DatasetMention)
def rows(mention: JobMention | DatasetMention, moment: Moment) -> Iterator[Row]:
    named = tags(mention.facets, f"{mention.path}.facets") or ()
    for name in dict.fromkeys(tag.name for tag in named):
        yield {"uuid": tag_uuid(name), "created_at": moment.time, "updated_at": moment.time, "name": name}


TABLE = Table(
    name="tags",
    doc="Words that events, by the tags facet, and people put on datasets, columns and jobs.",
    rows=rows,
    open_to_operators=True,
    marquez_rights="INSERT, UPDATE (updated_at, description)",
    columns=(
        Column("uuid", UUID, SAME, "Follows from the name, if an event named it first.", nullable=False),
        Column(
            "created_at",
            TIMESTAMPTZ,
            FIRST,
            "Time of the first event that named it; if none did, when a person made it.",
            nullable=False,
        ),
        Column(
            "updated_at",
            TIMESTAMPTZ,
            LATEST,
            "Time of the last event that named it, or of a person's change after it.",
            nullable=False,
        ),
        Column(
            "name",
            VARCHAR,
            KEY,
            "`key:value` of the facet; the key alone if the value is empty or true.",
            nullable=False,
        ),
        Column("description", TEXT, OPERATOR, "What it means."),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "tags_name_key"),),
    stream=TableStream(event_time=("created_at",)),
)
