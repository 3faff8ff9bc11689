"""dataset_labels: what the last facets that label a dataset say, before it becomes rows of other tables."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import JSONB, KEY, SAME, TIMESTAMPTZ, UUID, Column, Index, Reference, Row, Table
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.meaning.labels import LATEST_OWNERS, LATEST_TAGS, label_columns
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import DatasetMention, Moment


@of_each(DatasetMention)
def rows(dataset: DatasetMention, moment: Moment) -> Iterator[Row]:
    labels = label_columns(dataset, moment)
    if labels:
        named = described(dataset).dataset_uuid
        yield {"uuid": named, "dataset_uuid": named, **labels}


TABLE = Table(
    name="dataset_labels",
    doc=(
        "The tags and owners that the last event with such a facet gives a dataset, a row for each of its names."
        " Tags and ownerships follow from it."
    ),
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the name by which events call the dataset.", nullable=False),
        Column(
            "dataset_uuid",
            UUID,
            SAME,
            "The dataset that bears the name.",
            nullable=False,
            reference=Reference("datasets"),
            entity="datasets",
        ),
        Column("tags", JSONB, LATEST_TAGS, "Name of each tag, and the column that bears it or null."),
        Column("tags_reported_at", TIMESTAMPTZ, LATEST_TAGS, "Time of that event."),
        Column("owners", JSONB, LATEST_OWNERS, "Name and type of each owner."),
        Column("owners_reported_at", TIMESTAMPTZ, LATEST_OWNERS, "Time of that event."),
    ),
    primary_key=("uuid",),
    indexes=(Index("dataset_labels_dataset_uuid_index", "(dataset_uuid)", "Labels of a dataset; its removal."),),
    retention=(GoesWith("datasets", "dataset_uuid"),),
)
