"""facet_sets: which facets one mention of a run, a job or a dataset has, once for all mentions with the same."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import KEY, SAME, UUID, UUIDS, Column, Row, Table
from lineage_core.model.meaning.facet_rows import facet_sets
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import AnyMention, DatasetMention, JobMention, Moment, RunMention


@of_each(RunMention, JobMention, DatasetMention)
def rows(mention: AnyMention, _moment: Moment) -> Iterator[Row]:
    for one in facet_sets(mention):
        yield {"uuid": one.uuid, "facets": [content.uuid for content in one.contents]}


TABLE = Table(
    name="facet_sets",
    doc="Which facets one mention of a run, a job or a dataset has; mentions with the same facets share the row.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "The first half of the SHA-256 of its facets' ids.", nullable=False),
        Column("facets", UUIDS, SAME, "The rows of `facets`, in the order of the document.", nullable=False),
    ),
    primary_key=("uuid",),
    retention=(
        Leaves("leaving_facet_sets", planned="uuid"),
        Keeps("facets", ("facets",)),
    ),
)
