"""Datasets, jobs and columns that have a text in their names."""

from __future__ import annotations

import json
from collections.abc import Collection
from dataclasses import dataclass
from typing import Any

from lineage_core.answers.graph.model import NodeKind
from lineage_core.errors import WrongUsage
from lineage_core.own_lineage.datasets import OWN_NAMESPACE
from lineage_core.postgres.connection import Connection
from lineage_core.postgres.store import Store
from lineage_core.postgres.typed_rows import every_row
from lineage_core.reading.store import snapshot

MOST_FOUND = 50

USUAL_KINDS = (NodeKind.DATASET, NodeKind.JOB)
"""Unless others are asked for: there are ten times as many columns, and all their names would be read."""

_ORDER = ("rank", "length", "folded", "kind", "namespace", "name")


@dataclass(frozen=True)
class FoundName:
    """What has the text in its name. column: None unless it is one, of the dataset of this name."""

    kind: NodeKind
    namespace: str
    name: str
    column: str | None


@dataclass(frozen=True)
class SearchAnswer:
    """found: what is named so first, then what begins so, then where a word begins so, then the others, the shortest
    first. complete: whether these are all. next: where it goes on; None at its end."""

    complete: bool
    next: str | None
    found: tuple[FoundName, ...]


def search(
    store: Store,
    text: str,
    *,
    kinds: Collection[NodeKind] = USUAL_KINDS,
    limit: int = MOST_FOUND,
    after: str | None = None,
    own: bool = False,
) -> SearchAnswer:
    """after: `SearchAnswer.next` of the answer before, for the same text and kinds. ASCII capitals count as
    small letters. own: the tables of this store, too, in which people seldom look for theirs.

    Raises WrongUsage for an empty text, and for a cursor that no answer has given.
    """
    with snapshot(store) as connection:
        return search_in(connection, text, kinds=kinds, limit=limit, after=after, own=own)


def search_in(
    connection: Connection,
    text: str,
    *,
    kinds: Collection[NodeKind] = USUAL_KINDS,
    limit: int = MOST_FOUND,
    after: str | None = None,
    own: bool = False,
) -> SearchAnswer:
    """As `search`, in a snapshot that other questions share."""
    if not text.strip():
        raise WrongUsage("Say what to search for: a part of a name.")
    asked: dict[str, Any] = {"text": text.strip(), "kinds": [kind.value for kind in kinds], "most": limit + 1}
    asked["left_out"] = None if own else OWN_NAMESPACE
    rows: list[dict[str, Any]] = every_row(connection, dict, "answers/search/found", asked | _behind(after))
    shown = rows[:limit]
    is_cut = len(rows) > limit
    return SearchAnswer(
        complete=not is_cut,
        next=json.dumps([shown[-1][part] for part in _ORDER]) if is_cut else None,
        found=tuple(
            FoundName(NodeKind(row["kind"]), row["namespace"], row["name"], row["column_name"]) for row in shown
        ),
    )


def _behind(after: str | None) -> dict[str, Any]:
    if after is None:
        return dict.fromkeys(_ORDER)
    try:
        parts = json.loads(after)
    except ValueError as error:
        raise _no_cursor(after) from error
    if not isinstance(parts, list) or [type(part) for part in parts] != [int, int, str, str, str, str]:
        raise _no_cursor(after)
    return dict(zip(_ORDER, parts, strict=True))


def _no_cursor(after: str) -> WrongUsage:
    return WrongUsage(f"--after {after!r} is no cursor: give `next` of the answer before, as it is")
