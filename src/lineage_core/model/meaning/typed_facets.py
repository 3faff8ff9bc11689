"""The facets of a mention whose content is read, and whether it can be."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import Any

from lineage_core.openlineage.events import AnyMention, DatasetMention, JobMention, RunMention
from lineage_core.openlineage.facets import FacetSubject, TypedFacet, all_facets

_SUBJECTS = {RunMention: FacetSubject.RUN, JobMention: FacetSubject.JOB, DatasetMention: FacetSubject.DATASET}


def present(mention: AnyMention, *, essential: bool) -> Iterator[TypedFacet[Any]]:
    """Those that are there and essential, or are there and are not; each once, be it by several keys."""
    facets, known = mention.facets, _typed(_SUBJECTS[type(mention)], essential=essential)
    for key in facets.keys() & known.keys():
        facet = known[key]
        if key == facet.key or facet.key not in facets:
            yield facet


def check_essential(mention: AnyMention) -> None:
    """Raises RejectedEvent, with the place, if an essential facet cannot be read or stored."""
    for facet in present(mention, essential=True):
        facet.read(mention.facets, f"{mention.path}.facets")


@cache
def _typed(owner: FacetSubject, *, essential: bool) -> dict[str, TypedFacet[Any]]:
    """By each of their keys."""
    typed = [facet for facet in all_facets().values() if isinstance(facet, TypedFacet)]
    chosen = [facet for facet in typed if facet.essential is essential and owner in facet.subjects]
    return {key: facet for facet in chosen for key in facet.keys}
