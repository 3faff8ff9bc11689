"""Which facets say what of a run: its code, its engine, its parameters."""

from __future__ import annotations

from lineage_core.answers.explain.described_runs import HeldFacet

ERROR_MESSAGE = "errorMessage"

NOT_COMPARED = (
    "airflowState",
    "columnLineage",
    "debug",
    "documentation",
    "extractionError",
    "jobType",
    "lineage",
    "nominalTime",
    "ownership",
    "parent",
    "spark.logicalPlan",
    "spark_unknown",
    "tags",
    "unknownSourceAttribute",
)
"""Facets that say nothing of what a run did, but how it ended; or say it elsewhere too, or differ each time."""

MEASURED = ("dataQualityMetrics", "inputStatistics", "outputStatistics")
"""Facets of inputs and outputs with numbers."""

_CODE = ("sql", "sourceCode", "sourceCodeLocation", "gcp_composer_job", "dbt_node")
_ENGINE = (
    "processing_engine",
    "spark_properties",
    "spark_version",
    "environment-properties",
    "environmentVariables",
    "environment",
    "dbt_version",
    "jvm",
    "flink_version",
)


def is_code(facet: HeldFacet) -> bool:
    return facet.name in _CODE or facet.subject == "job"


def is_engine(facet: HeldFacet) -> bool:
    return facet.subject == "run" and facet.name in _ENGINE


def is_parameters(facet: HeldFacet) -> bool:
    return facet.subject == "run" and facet.name not in (*_CODE, *_ENGINE, ERROR_MESSAGE)
