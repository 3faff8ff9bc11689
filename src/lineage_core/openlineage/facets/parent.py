"""The run that started a run."""

from __future__ import annotations

import msgspec

from lineage_core.openlineage.facets import FacetSubject, Spec, TypedFacet
from lineage_core.openlineage.name_limits import check_names


class ParentRun(msgspec.Struct, frozen=True, rename="camel"):
    run_id: str


class ParentJob(msgspec.Struct, frozen=True):
    namespace: str
    name: str


class Parent(msgspec.Struct, frozen=True):
    """A parent without run or job names nothing, so both are needed, as in the specification."""

    run: ParentRun
    job: ParentJob


def _check(content: Parent, path: str) -> None:
    check_names(f"{path}.job", "", content.job.name)


FACET = TypedFacet(
    key="parent",
    doc="The run, and its job, that started a run.",
    specs=(Spec("ParentRunFacet", "1-2-0", (FacetSubject.RUN,)),),
    aliases=("parentRun",),
    essential=True,
    model=Parent,
    check=_check,
    feeds=("jobs", "runs", "run_states", "run_args", "parent_mentions"),
)
