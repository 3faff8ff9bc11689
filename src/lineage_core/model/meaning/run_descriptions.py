"""What an event says of its run."""

from __future__ import annotations

from functools import cached_property

from lineage_core.openlineage.events import RunMention
from lineage_core.openlineage.facets.nominal_time import FACET as NOMINAL_TIME
from lineage_core.openlineage.facets.nominal_time import NominalTime
from lineage_core.openlineage.facets.parent import FACET as PARENT
from lineage_core.openlineage.facets.parent import Parent

RUN_FACETS = "$.run.facets"


class RunDescription:
    """What a mention says of its run. Each property raises RejectedEvent where that cannot be read."""

    def __init__(self, run: RunMention) -> None:
        self._facets = run.facets

    @cached_property
    def nominal_time(self) -> NominalTime | None:
        """The interval that the run works for."""
        return NOMINAL_TIME.read(self._facets, RUN_FACETS)

    @cached_property
    def parent(self) -> Parent | None:
        """The run that started it."""
        return PARENT.read(self._facets, RUN_FACETS)


def described_run(run: RunMention) -> RunDescription:
    """What the mention says, worked out once however many tables ask."""
    return run.described_by(RunDescription)
