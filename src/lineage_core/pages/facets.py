"""The facets of a run, a job version or a dataset version, as a page has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any
from uuid import UUID

from typing_extensions import TypedDict

from lineage_core.openlineage.json_values import json_value
from lineage_core.postgres.connection import Connection
from lineage_core.reading.facets import FoundFacet

LONGEST = 20_000
"""Bytes of a facet that a page has; of a longer one it says how long it is."""


class LastFacet(TypedDict):
    """time: of the event that states it. type: DATASET, INPUT, OUTPUT or UNKNOWN; null of facets that are not of a
    dataset. bytes: of its text. content: null of a long one."""

    time: datetime
    type: str | None
    bytes: int
    content: Any


def facets_of_version(
    connection: Connection,
    version: UUID | None,
    facets: Callable[[Connection, UUID], Iterable[FoundFacet]],
) -> dict[str, LastFacet]:
    """The last facets of the current version of a dataset or a job, if it has one."""
    return {} if version is None else last_facets(facets(connection, version))


def last_facets(found: Iterable[FoundFacet]) -> dict[str, LastFacet]:
    """The last facet of each name, by name."""
    last = {facet.name: facet for facet in found}
    return {
        name: {
            "time": facet.lineage_event_time,
            "type": facet.type,
            "bytes": len(facet.facet),
            "content": _content(facet),
        }
        for name, facet in sorted(last.items())
    }


def _content(facet: FoundFacet) -> Any:
    return None if len(facet.facet) > LONGEST else json_value(facet.facet)[facet.name]
