"""Who a change to come of a dataset's schema reaches."""

from __future__ import annotations

from typing import Annotated, Any

from fastapi import Query

from lineage_core.answers.impact.impact import SchemaToCome, impact_of
from lineage_core.pages.page import After, Limit, LineagePage, Name, Namespace, Reader
from lineage_core.pages.spreadsheets import Spreadsheet


def impact(
    store: Reader,
    namespace: Namespace = None,
    name: Name = None,
    drop: Annotated[list[str] | None, Query(description="Columns that go.")] = None,
    limit: Limit = 1_000,
    after: After = None,
) -> dict[str, Any]:
    """The jobs and datasets that are broken, or may be, where columns of a dataset go."""
    if not namespace or not name:
        return {"dataset": None}
    columns = tuple(column for one in drop or () for column in one.split(",") if column)
    dataset = {"namespace": namespace, "name": name, "drop": columns}
    if not columns:
        return {"dataset": dataset, "impact": None}
    found = impact_of(store, namespace, name, SchemaToCome(dropped=columns), limit=limit, after=after)
    return {"dataset": dataset, "impact": found}


def _spreadsheet(document: dict[str, Any]) -> Spreadsheet:
    found = document.get("impact")
    columns = ("verdict", "job", "dataset", "columns", "hops", "owner", "last_read")
    rows = [[getattr(one, column) for column in columns] for one in found.consumers] if found else []
    return Spreadsheet(columns, rows, found is None or found.complete)


PAGE = LineagePage("impact", None, 10, impact, spreadsheet=_spreadsheet)
