"""run_args: the distinct arguments of runs."""

from __future__ import annotations

from collections.abc import Iterator

from lineage_core.declare.leaving import Leaves
from lineage_core.declare.vocabulary import (
    KEY,
    SAME,
    TEXT,
    TIMESTAMP,
    UUID,
    Column,
    Earliest,
    Row,
    Table,
    TableStream,
    Unique,
    varchar,
)
from lineage_core.model.meaning.job_descriptions import RunArguments, described_run, parent_of
from lineage_core.openlineage.events import Event

FIRST = Earliest("first_event")

NONE = RunArguments({})
"""Those of a parent run that is known from its children only."""


def rows(event: Event) -> Iterator[Row]:
    if event.run is None:
        return
    yield _row(event, described_run(event.run).arguments)
    if parent_of(event.run):
        yield _row(event, NONE)


def _row(event: Event, arguments: RunArguments) -> Row:
    return {
        "uuid": arguments.uuid,
        "created_at": event.time,
        "args": arguments.text,
        "checksum": arguments.checksum,
    }


TABLE = Table(
    name="run_args",
    doc="The distinct arguments of runs: nominal times and the parent run.",
    rows=rows,
    columns=(
        Column("uuid", UUID, KEY, "Follows from the checksum.", nullable=False, entity="run_args"),
        Column("created_at", TIMESTAMP, FIRST, "Time of the first event with them, in UTC.", nullable=False),
        Column(
            "args",
            TEXT,
            FIRST,
            "The arguments as JSON, by that event: names made for it may share a checksum.",
            nullable=False,
        ),
        Column("checksum", varchar(255), SAME, "SHA-256 of the arguments, in hexadecimal digits.", nullable=False),
    ),
    primary_key=("uuid",),
    unique=(Unique(("checksum",), "run_args_checksum_key"),),
    stream=TableStream(event_time=("created_at",)),
    retention=(Leaves("leaving_run_args", planned="uuid"),),
)
