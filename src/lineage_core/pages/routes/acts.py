"""What people have done to the store."""

from __future__ import annotations

from typing import Annotated

from fastapi import Query
from typing_extensions import TypedDict

from lineage_core.acts.store import OperatorAct, last_acts
from lineage_core.pages.page import LAST_NUMBER, Limit, LineagePage, Reader


class ActsPage(TypedDict):
    """next: `before` of the next page."""

    complete: bool
    next: int | None
    acts: list[OperatorAct]


def acts(
    store: Reader,
    limit: Limit = 100,
    before: Annotated[
        int | None, Query(ge=0, le=LAST_NUMBER, description="Only those before the act of this number.")
    ] = None,
) -> ActsPage:
    """What people have done by commands and on pages, when, and who: the last first."""
    found = last_acts(store, limit + 1, before)
    complete = len(found) <= limit
    shown = found[:limit]
    return {"complete": complete, "next": None if complete else shown[-1].id, "acts": shown}


PAGE = LineagePage("acts", None, 11, acts)
