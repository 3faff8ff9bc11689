"""job_edges: what a job reads and writes, from when until when."""

from __future__ import annotations

from lineage_core.declare.leaving import Keeps, Leaves
from lineage_core.declare.vocabulary import BYTEA, DERIVED, INTEGER, UUID, Column, Index, Table, TableStream, unenforced

TABLE = Table(
    name="job_edges",
    doc="What a job reads and writes, and where the columns of an output come from, from when until when. An edge is"
    " of the name that events used: whose name that is may change, so readers ask for all names of a dataset.",
    columns=(
        Column("job_uuid", UUID, DERIVED, "The job.", nullable=False, reference=unenforced("jobs")),
        Column("role", INTEGER, DERIVED, "1 reads, 2 writes.", nullable=False),
        Column("name_uuid", UUID, DERIVED, "Key of the dataset's name, a row of `dataset_names`.", nullable=False),
        Column(
            "lineage_uuid",
            UUID,
            DERIVED,
            "The description of the output's columns that held, a row of `dataset_column_lineages`; the nil UUID for"
            " the edge itself, which holds whatever is stated of columns.",
            nullable=False,
        ),
        Column(
            "since_event",
            BYTEA,
            DERIVED,
            "Order of the event from which on it held without a break.",
            nullable=False,
        ),
        Column(
            "until_event",
            BYTEA,
            DERIVED,
            "Order of the event of the version that lacks it; the byte FF, behind all orders, while it holds.",
            nullable=False,
        ),
    ),
    primary_key=("job_uuid", "role", "name_uuid", "lineage_uuid", "since_event"),
    indexes=(
        Index("job_edges_job_index", "(job_uuid, until_event)", "What a job read and wrote at a moment."),
        Index("job_edges_name_index", "(name_uuid, role, until_event)", "Who read, or wrote, a dataset at a moment."),
        Index(
            "job_edges_lineage_index",
            "(lineage_uuid, until_event)",
            "Who described columns so at a moment.",
            where="lineage_uuid <> '00000000-0000-0000-0000-000000000000'",
        ),
    ),
    stream=TableStream(),
    retention=(
        Leaves("leaving_edges", statement="edges/job_edges"),
        Keeps("jobs", ("job_uuid",)),
        Keeps("dataset_column_lineages", ("lineage_uuid",)),
    ),
)
