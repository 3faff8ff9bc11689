"""The time that a run is about."""

from __future__ import annotations

import msgspec

from lineage_core.facets import Owner, Spec, TypedFacet


class NominalTime(msgspec.Struct, frozen=True, rename="camel"):
    """Both times are texts as the event has them (ISO 8601)."""

    nominal_start_time: str | None = None
    nominal_end_time: str | None = None


FACET = TypedFacet(
    key="nominalTime",
    doc="The interval that a run is about, as its scheduler says it.",
    specs=(Spec("NominalTimeRunFacet", "1-0-1", (Owner.RUN,)),),
    model=NominalTime,
    feeds=("run_args", "runs.nominal_start_time", "runs.nominal_end_time"),
)
