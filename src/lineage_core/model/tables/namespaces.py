"""namespaces: every namespace that an event named."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.vocabulary import (
    BOOLEAN,
    KEY,
    OPERATOR,
    SAME,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Row,
    Table,
    TableStream,
    Unique,
)
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, JobMention, Moment
from lineage_core.openlineage.identity import namespace_uuid

FIRST = Earliest("first_event")
ANONYMOUS = "anonymous"
"""What Marquez calls the owner of a namespace without one."""


@of_each(JobMention, DatasetMention)
def rows(mention: JobMention | DatasetMention, moment: Moment) -> Iterator[Row]:
    """A dataset's namespace counts twice if it needs formatting: symlinks have it as spelled, datasets formatted."""
    for name in dict.fromkeys(_names(mention)):
        yield {"uuid": namespace_uuid(name), "name": name, "created_at": moment.time, "updated_at": moment.time}


def _names(mention: JobMention | DatasetMention) -> Iterator[str]:
    yield mention.formatted
    if isinstance(mention, DatasetMention):
        yield mention.namespace
        for identifier in described(mention).other_names:
            yield identifier.namespace


TABLE = Table(
    name="namespaces",
    doc="Every namespace that an event named.",
    rows=rows,
    marquez_rights="UPDATE (is_hidden)",
    columns=(
        Column("uuid", UUID, KEY, "Follows from the name.", nullable=False, entity="namespaces"),
        Column("created_at", TIMESTAMPTZ, FIRST, "Time of the first event that named it.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, FIRST, "As created_at: later events change nothing.", nullable=False),
        Column("name", VARCHAR, SAME, "Its name; a job's and a dataset's is formatted.", nullable=False),
        Column("description", TEXT, OPERATOR, "In a person's words."),
        Column(
            "current_owner_name",
            VARCHAR,
            OPERATOR,
            "Who owns it, by `lineage namespace own`.",
            default=f"'{ANONYMOUS}'",
        ),
        Column("is_hidden", BOOLEAN, OPERATOR, "Left out of lists.", default="false"),
    ),
    primary_key=("uuid",),
    unique=(Unique(("name",), "namespaces_name_key"),),
    stream=TableStream(event_time=("created_at",)),
)
