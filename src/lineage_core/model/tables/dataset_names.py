"""dataset_names: every name of a dataset, whose it is, and what events state under it."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    KEY,
    SAME,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Index,
    Newest,
    Row,
    Table,
)
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.mention_rows import of_each
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import DatasetMention, Moment
from lineage_core.openlineage.facets.documentation import FACET as DOCUMENTATION
from lineage_core.openlineage.identity import dataset_uuid, ignoring_case, namespace_uuid, source_uuid

CLAIM = Earliest("first_claim")
FIRST = Earliest("first_event")
LATEST = Newest("latest_event")


@of_each(DatasetMention)
def rows(dataset: DatasetMention, moment: Moment) -> Iterator[Row]:
    """Each mention names a dataset and claims other names for it. Mentions go in turn, so the orders tell the place."""
    place = dataset.place.to_bytes(4)
    first = moment.order + place
    yield (
        _claimed(moment, dataset, dataset.formatted, dataset.name, first)
        | _last_facts(moment, dataset)
        | {
            FIRST.order: first,
            LATEST.order: moment.newest_order + place,
        }
    )
    for identifier in described(dataset).other_names:
        yield _claimed(moment, dataset, formatted_namespace(identifier.namespace), identifier.name, first)


def _claimed(moment: Moment, dataset: DatasetMention, namespace: str, name: str, order: bytes) -> dict[str, object]:
    return {
        "uuid": dataset_uuid(namespace, name),
        "namespace_name": namespace,
        "name": name,
        "claimed_by": described(dataset).dataset_uuid,
        "created_at": moment.time,
        CLAIM.order: order,
    }


def _last_facts(moment: Moment, dataset: DatasetMention) -> dict[str, object]:
    source = described(dataset).source.name
    return {
        "namespace_uuid": namespace_uuid(dataset.formatted),
        "source_uuid": source_uuid(source),
        "source_name": source,
        "updated_at": moment.time,
        "description": _description(dataset),
        "is_deleted": ignoring_case(described(dataset).lifecycle_state) == "drop",
    }


def _description(dataset: DatasetMention) -> str | None:
    facet = DOCUMENTATION.read(dataset.facets, f"{dataset.path}.facets")
    return facet.description if facet else None


TABLE = Table(
    name="dataset_names",
    doc="Every name of a dataset, whose it is, and what events state under it. datasets follows from it.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from namespace and name.", nullable=False),
        Column("namespace_name", VARCHAR, SAME, "The namespace, formatted.", nullable=False),
        Column("name", VARCHAR, SAME, "The name.", nullable=False),
        Column(
            "claimed_by",
            UUID,
            CLAIM,
            "The name in whose mention this one was first: itself, or the one that had it as a symlink.",
            nullable=False,
        ),
        Column("created_at", TIMESTAMPTZ, CLAIM, "Time of the first event that used it.", nullable=False),
        Column(
            "namespace_uuid",
            UUID,
            FIRST,
            "Its namespace; null if no event named the dataset so.",
            entity="namespaces",
        ),
        Column(
            "source_uuid",
            UUID,
            FIRST,
            "Where the dataset lies, by the first event that named it so.",
            entity="sources",
        ),
        Column("source_name", VARCHAR, FIRST, "Name of that source."),
        Column("updated_at", TIMESTAMPTZ, LATEST, "Time of the last event that named the dataset so."),
        Column("description", TEXT, LATEST, "Documentation facet of that event; null if it had none."),
        Column("is_deleted", BOOLEAN, LATEST, "Whether that event dropped it."),
    ),
    fillfactor=70,
    primary_key=("uuid",),
    indexes=(
        Index(
            "dataset_names_claimed_by_index",
            "(claimed_by)",
            "Names that follow another when it turns out to be someone else's.",
            where="claimed_by <> uuid",
        ),
    ),
    retention=(GoesWith("datasets", statement="datasets/dataset_names", counted="leaving_dataset_names"),),
)
