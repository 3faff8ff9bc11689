"""Where a list goes on: what its last row is ordered by, as one text that stands in an address."""

from __future__ import annotations

import json
from collections.abc import Callable
from datetime import datetime
from typing import Any
from uuid import UUID

from lineage_core.errors import WrongUsage
from lineage_core.openlineage.json_limits import is_storable
from lineage_core.pages.rows import Row, RowList, listed
from lineage_core.pages.run_rows import LastRun
from lineage_core.postgres.store import Store
from lineage_core.reading.store import snapshot


def page_of_names(
    store: Store, make: Callable[..., Row], statement: str, namespace: str | None, limit: int, after: str | None
) -> RowList[Row]:
    """A page of what has names, in their order, by the name of its statement. Raises WrongUsage as `names_behind`."""
    name, behind = names_behind(after)
    with snapshot(store) as connection:
        return listed(connection, make, statement, limit, namespace=namespace or None, name=name, after=behind)


def names_behind(after: str | None) -> tuple[str, str]:
    """Name and namespace of the row behind which a page begins; empty at the first. Raises WrongUsage for a text that
    no page has given."""
    if after is None:
        return "", ""
    try:
        namespace, name = json.loads(after)
    except (RecursionError, TypeError, ValueError) as error:
        raise _wrong(after) from error
    if not all(isinstance(part, str) and is_storable(part) for part in (name, namespace)):
        raise _wrong(after)
    return name, namespace


def next_of(found: RowList[Any]) -> str | None:
    """The cursor of the next page; None at the end."""
    if found.complete:
        return None
    return json.dumps([found.rows[-1]["namespace"], found.rows[-1]["name"]])


def run_behind(after: str | None) -> tuple[datetime | None, UUID | None]:
    """When the run behind which a page begins was created, and its uuid; None at the first page. Raises WrongUsage for
    a text that no page has given."""
    if after is None:
        return None, None
    try:
        created_at, run = json.loads(after)
        return datetime.fromisoformat(created_at), UUID(run)
    except (AttributeError, RecursionError, TypeError, ValueError) as error:
        raise _wrong(after) from error


def next_of_runs(found: RowList[LastRun]) -> str | None:
    """The cursor of the next page of runs; None at the end."""
    if found.complete:
        return None
    return json.dumps([found.rows[-1]["created_at"].isoformat(), str(found.rows[-1]["run"])])


_LONGEST_SHOWN = 200
"""Characters."""


def _wrong(after: str) -> WrongUsage:
    return WrongUsage(f"{after[:_LONGEST_SHOWN]!r} is no `next` of a page before. Begin without `after`.")
