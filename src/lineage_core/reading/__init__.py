"""The facets of a run, a job version or a dataset version, of raw events too that are not normalized yet (seed 001)."""

from lineage_core.reading.facets import FoundFacet, facets_of_dataset_version, facets_of_job_version, facets_of_run

__all__ = ["FoundFacet", "facets_of_dataset_version", "facets_of_job_version", "facets_of_run"]
