"""Facets in the form in which facet tables store them."""

from __future__ import annotations

from collections.abc import Iterator

import msgspec

from lineage_core.openlineage.events import RawFacets
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.identity import ignoring_case

_DROPPED = "spark_unknown"
"""Marquez leaves this facet of old Spark listeners out; it is large and says what could not be read."""

KEPT_ONCE_A_RUN = "spark.logicalPlan"
"""A plan of many megabytes, the same at each event of its run. Marquez keeps the first, too."""


def stored_facets(facets: RawFacets) -> Iterator[tuple[str, bytes]]:
    """Key and stored JSON, an object with that one key, of each facet that is kept.

    The older key `parentRun` is stored as `parent`.
    """
    for key, raw in facets.items():
        if ignoring_case(key) == _DROPPED:
            continue
        name = PARENT.key if key in PARENT.aliases else key
        yield name, b"".join((b"{", msgspec.json.encode(name), b": ", raw, b"}"))
