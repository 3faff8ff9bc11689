"""The facets of a run, a job version or a dataset version, of raw events too that are not normalized yet (seed 001)."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands
from lineage_core.reading.facets import FoundFacet, facets_of_dataset_version, facets_of_job_version, facets_of_run

__all__ = ["CAPABILITY", "FoundFacet", "facets_of_dataset_version", "facets_of_job_version", "facets_of_run"]


def _commands() -> HasCommands:
    from lineage_core.reading import command

    return command


CAPABILITY = Capability(_commands)
