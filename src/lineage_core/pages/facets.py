"""The facets of a run, a job version or a dataset version, as a page has them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from lineage_core.openlineage.json_values import json_value
from lineage_core.postgres.connection import Connection
from lineage_core.reading.facets import FoundFacet

LONGEST = 20_000
"""Bytes of a facet that a page has; of a longer one it says how long it is."""


def facets_of_version(
    connection: Connection,
    version: UUID | None,
    facets: Callable[[Connection, UUID], Iterable[FoundFacet]],
) -> dict[str, Any]:
    """The last facets of the current version of a dataset or a job, if it has one."""
    return {} if version is None else last_facets(facets(connection, version))


def last_facets(found: Iterable[FoundFacet]) -> dict[str, Any]:
    """The last facet of each name, by name."""
    last = {facet.name: facet for facet in found}
    return {
        name: {"time": facet.lineage_event_time, "type": facet.type, **_content(facet)}
        for name, facet in sorted(last.items())
    }


def _content(facet: FoundFacet) -> dict[str, Any]:
    if len(facet.facet) > LONGEST:
        return {"bytes": len(facet.facet), "content": None}
    return {"bytes": len(facet.facet), "content": json_value(facet.facet)[facet.name]}
