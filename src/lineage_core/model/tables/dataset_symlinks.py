"""dataset_symlinks: every name under which a dataset is known, its own among them."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    BOOLEAN,
    KEY,
    TIMESTAMP,
    UUID,
    VARCHAR,
    Column,
    Earliest,
    Index,
    Reference,
    Row,
    Table,
    TableStream,
    varchar,
)
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.model.mention_rows import of_each
from lineage_core.namespace_format import formatted_namespace
from lineage_core.openlineage.events import DatasetMention, Moment
from lineage_core.openlineage.identity import dataset_uuid, namespace_uuid

FIRST = Earliest("first_event")


@of_each(DatasetMention)
def rows(dataset: DatasetMention, moment: Moment) -> Iterator[Row]:
    """Whose a name is, `dataset_names` tells."""
    yield _row(moment, dataset.namespace, dataset.name, None, is_primary=True)
    for identifier in described(dataset).other_names:
        yield _row(moment, identifier.namespace, identifier.name, identifier.type, is_primary=False)


def _row(moment: Moment, namespace: str, name: str, type_: str | None, *, is_primary: bool) -> Row:
    key = dataset_uuid(formatted_namespace(namespace), name)
    return {
        "dataset_uuid": key,
        "name": name,
        "namespace_uuid": namespace_uuid(namespace),
        "type": type_,
        "is_primary": is_primary,
        "created_at": moment.time,
        "updated_at": moment.time,
        "name_uuid": key,
    }


TABLE = Table(
    name="dataset_symlinks",
    doc="Every name under which a dataset is known, its own among them.",
    rows=rows,
    columns=(
        Column("dataset_uuid", UUID, FIRST, "The dataset that had this name first.", entity="datasets"),
        Column("name", VARCHAR, KEY, "The name.", nullable=False),
        Column(
            "namespace_uuid",
            UUID,
            KEY,
            "Namespace of the name, as spelled.",
            nullable=False,
            reference=Reference("namespaces"),
            entity="namespaces",
        ),
        Column("type", varchar(64), FIRST, "What kind of name it is, such as TABLE or LOCATION."),
        Column("is_primary", BOOLEAN, FIRST, "Whether it is the dataset's own name.", default="false"),
        Column("created_at", TIMESTAMP, FIRST, "Time of the first event that used the name, in UTC.", nullable=False),
        Column("updated_at", TIMESTAMP, FIRST, "As created_at: later events change nothing.", nullable=False),
        Column("name_uuid", UUID, FIRST, "The name, formatted, as a key."),
    ),
    primary_key=("namespace_uuid", "name"),
    indexes=(Index("dataset_symlinks_dataset_uuid", "(dataset_uuid)", "All names of a dataset."),),
    stream=TableStream(event_time=("created_at",), without=("name_uuid",)),
    retention=(GoesWith("datasets", "dataset_uuid"),),
)
