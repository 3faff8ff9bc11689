"""group_roles: which roles of the cluster are this store's."""

from __future__ import annotations

from lineage_core.model.vocabulary import OWNER, TEXT, Column, Table

TABLE = Table(
    name="group_roles",
    doc="The group roles of this store. Roles are of the whole cluster, so two stores in it need names of their own.",
    columns=(
        Column("purpose", TEXT, OWNER, "What it is for: ingest, jobs, marquez, operator or reader.", nullable=False),
        Column("name", TEXT, OWNER, "The role.", nullable=False),
    ),
    primary_key=("purpose",),
)
