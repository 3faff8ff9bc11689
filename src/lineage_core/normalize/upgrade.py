"""What an upgrade does to what was normalized before: tables that came later are filled from those there are."""

from __future__ import annotations

from lineage_core import statements
from lineage_core.postgres.connection import Connection, run_script
from lineage_core.postgres.typed_rows import one_value
from lineage_core.upgrade_step import UpgradeStep


def _make_edges(connection: Connection) -> list[str]:
    if not one_value(connection, bool, "normalize/edges/are_missing"):
        return []
    run_script(connection, statements.named("normalize/edges/make"))
    return ["Edges of jobs at any moment were made of the events that are in the tables."]


EDGES = UpgradeStep(bring_up_to_date=_make_edges)
