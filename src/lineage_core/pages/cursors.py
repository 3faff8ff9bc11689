"""Where a list goes on: the names of its last row, as one text that stands in an address."""

from __future__ import annotations

import json

from lineage_core.errors import WrongUsage
from lineage_core.pages.rows import Listed


def names_behind(after: str | None) -> tuple[str, str]:
    """Name and namespace of the row behind which a page begins; empty at the first. Raises WrongUsage for a text that
    no page has given."""
    if after is None:
        return "", ""
    try:
        namespace, name = json.loads(after)
    except ValueError as error:
        raise WrongUsage(f"{after!r} is no `next` of a page before. Begin without `after`.") from error
    return str(name), str(namespace)


def next_of(found: Listed) -> str | None:
    """The cursor of the next page; None at the end."""
    if found.complete:
        return None
    return json.dumps([found.rows[-1]["namespace"], found.rows[-1]["name"]])
