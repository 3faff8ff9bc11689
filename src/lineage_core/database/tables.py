"""What an upgrade knows of a store."""

from __future__ import annotations

from lineage_core.declare.vocabulary import OWNER, TEXT, TIMESTAMPTZ, Column, Table

SCHEMA_SCRIPTS = Table(
    name="schema_scripts",
    doc="The scripts of functions, triggers and views that made this store. An upgrade runs those that have changed.",
    columns=(
        Column("path", TEXT, OWNER, "The file, below `sql/` and without its ending.", nullable=False),
        Column("digest", TEXT, OWNER, "SHA-256 of its text, in hexadecimal digits.", nullable=False),
        Column("applied_at", TIMESTAMPTZ, OWNER, "When it was run last.", nullable=False),
    ),
    primary_key=("path",),
)
