"""flyway_schema_history: the migrations of Marquez that the store stands for, so that Marquez' server starts on it."""

from __future__ import annotations

from lineage_core.declare.vocabulary import BOOLEAN, INTEGER, OWNER, TIMESTAMP, Column, Table, varchar

TABLE = Table(
    name="flyway_schema_history",
    doc="The migrations of Marquez 0.51.1, as its server would have run them: it starts on a database that has them.",
    columns=(
        Column("installed_rank", INTEGER, OWNER, "Place in the order in which they run.", nullable=False),
        Column("version", varchar(50), OWNER, "Version of the migration; null for one that is repeated."),
        Column("description", varchar(200), OWNER, "What it does.", nullable=False),
        Column("type", varchar(20), OWNER, "SQL or JDBC.", nullable=False),
        Column("script", varchar(1000), OWNER, "Its file or class.", nullable=False),
        Column("checksum", INTEGER, OWNER, "Of the file, by which Marquez knows it; null for a class."),
        Column("installed_by", varchar(100), OWNER, "Who made the store.", nullable=False),
        Column("installed_on", TIMESTAMP, OWNER, "When the store was made.", nullable=False, default="now()"),
        Column("execution_time", INTEGER, OWNER, "In milliseconds; always 0.", nullable=False),
        Column("success", BOOLEAN, OWNER, "Always true.", nullable=False),
    ),
    primary_key=("installed_rank",),
)
