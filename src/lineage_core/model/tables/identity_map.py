"""identity_map: the uuid in use where it is not the one that the key derives."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import KEY, PLATFORM, TEXT, UUID, Column, Index, Table, TableStream

TABLE = Table(
    name="identity_map",
    doc="The uuid in use where it is not the one that the key derives: aliases, renamed jobs, an adopted database.",
    columns=(
        Column("entity", TEXT, KEY, "Table whose rows are meant.", nullable=False),
        Column("key_uuid", UUID, KEY, "Uuid that the natural key derives.", nullable=False),
        Column("uuid", UUID, PLATFORM, "Uuid in use.", nullable=False),
    ),
    primary_key=("entity", "key_uuid"),
    indexes=(Index("identity_map_uuid_index", "(entity, uuid)", "All keys of a row."),),
    stream=TableStream(),
    retention=(
        GoesWith("dataset_versions", "uuid", among=("entity", "dataset_versions")),
        GoesWith("job_versions", "uuid", among=("entity", "job_versions")),
        GoesWith("jobs", "uuid", among=("entity", "jobs")),
        GoesWith("datasets", "uuid", among=("entity", "datasets")),
        GoesWith("dataset_fields", "uuid", among=("entity", "dataset_fields")),
    ),
)
