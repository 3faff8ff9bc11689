"""facets: the content of every facet, once however often events say it."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import Leaves
from lineage_core.declare.vocabulary import JSONB, KEY, SAME, UUID, Column, Row, Table, varchar
from lineage_core.model.meaning.facet_rows import facet_contents
from lineage_core.model.mention_rows import of_each
from lineage_core.openlineage.events import AnyMention, DatasetMention, JobMention, Moment, RunMention


@of_each(RunMention, JobMention, DatasetMention)
def rows(mention: AnyMention, _moment: Moment) -> Iterator[Row]:
    for content in facet_contents(mention):
        yield {"uuid": content.uuid, "name": content.name, "facet": content.facet}


TABLE = Table(
    name="facets",
    doc="The content of every facet, once however often events say it. Sets name it, and runs that keep it once.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "The first half of the SHA-256 of the facet's text.", nullable=False),
        Column("name", varchar(255), SAME, "The facet's key.", nullable=False),
        Column("facet", JSONB, SAME, "An object with that key and the facet as it came.", nullable=False),
    ),
    primary_key=("uuid",),
    retention=(Leaves("leaving_facets", planned="uuid"),),
)
