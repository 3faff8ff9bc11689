"""dataset_endings: when a dataset was dropped, or renamed."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import BYTEA, KEY, SAME, UUID, Column, Row, Table, TableStream
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.openlineage.events import Event, RunState


def rows(event: Event) -> Iterator[Row]:
    """An event that ends its run otherwise than well, or lies ahead of its receipt, ends nothing.

    Where one event says more than once what became of a name, the last of its datasets that says so counts.
    """
    if event.is_ahead or event.ending in (RunState.FAILED, RunState.ABORTED):
        return
    endings: dict[bytes, bytes | None] = {}
    for dataset in event.datasets:
        endings |= described(dataset).endings
    for name_uuid, renamed_to in endings.items():
        yield {"name_uuid": name_uuid, "event_order": event.order, "renamed_to": renamed_to}


TABLE = Table(
    name="dataset_endings",
    doc="When a dataset was dropped or renamed: no edge to it holds from then on, until an event names it again.",
    rows=rows,
    columns=(
        Column("name_uuid", UUID, KEY, "Key of the name that ended.", nullable=False),
        Column("event_order", BYTEA, KEY, "Order of the event that says so.", nullable=False),
        Column("renamed_to", UUID, SAME, "Key of the name that it got; null if it was dropped."),
    ),
    primary_key=("name_uuid", "event_order"),
    stream=TableStream(),
    retention=(GoesWith("datasets", statement="datasets/dataset_endings", counted="leaving_dataset_endings"),),
)
