"""The time that a run is about."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.instants import parse_instant


class NominalTime(msgspec.Struct, frozen=True, rename="camel"):
    """Both times are texts as the event has them (ISO 8601)."""

    nominal_start_time: str | None = None
    nominal_end_time: str | None = None


def _check(content: NominalTime, path: str) -> None:
    for time in (content.nominal_start_time, content.nominal_end_time):
        if time:
            parse_instant(time, path)


FACET = TypedFacet(
    key="nominalTime",
    doc="The interval that a run is about, as its scheduler says it.",
    specs=(Spec("NominalTimeRunFacet", "1-0-1", (FacetSubject.RUN,)),),
    essential=False,
    model=NominalTime,
    check=_check,
    feeds=("run_args", "runs.nominal_start_time", "runs.nominal_end_time"),
)
