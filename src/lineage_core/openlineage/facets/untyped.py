"""Every facet that feeds no table but those of facets: each is an entry of the list.

It needs none to be stored. The entry says what it is, which schema files describe it, and what Marquez calls it.
"""

from __future__ import annotations

from lineage_core.openlineage.facets import DatasetFacetType, Facet, FacetSubject, Spec

FACETS = (
    Facet(
        key="catalog",
        doc="The catalog that knows a dataset, and where its metadata and data are.",
        specs=(Spec("CatalogDatasetFacet", "1-1-0", (FacetSubject.DATASET,)),),
    ),
    Facet(
        key="dataQualityAssertions",
        doc="Tests of a dataset or its columns, and whether they passed.",
        specs=(Spec("DataQualityAssertionsDatasetFacet", "1-1-0", (FacetSubject.INPUT,)),),
        type=DatasetFacetType.INPUT,
    ),
    Facet(
        key="dataQualityMetrics",
        doc="Row count, size, and measures of each column.",
        specs=(
            Spec("DataQualityMetricsDatasetFacet", "1-0-0", (FacetSubject.DATASET,)),
            Spec("DataQualityMetricsInputDatasetFacet", "1-0-3", (FacetSubject.INPUT,)),
        ),
        type=DatasetFacetType.INPUT,
    ),
    Facet(
        key="datasetType",
        doc="The kind of a dataset, such as table, view, file, topic or model.",
        specs=(Spec("DatasetTypeDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    ),
    Facet(
        key="description",
        doc="A description of a dataset, perhaps a plain text; Marquez knows it, the specification does not.",
        type=DatasetFacetType.DATASET,
    ),
    Facet(
        key="environmentVariables",
        doc="Names and values of environment variables that a run had.",
        specs=(Spec("EnvironmentVariablesRunFacet", "1-0-0", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="errorMessage",
        doc="The error message of a failed run, with its language and stack trace.",
        specs=(Spec("ErrorMessageRunFacet", "1-0-1", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="executionParameters",
        doc="The parameters that a job was given when it ran.",
        specs=(Spec("ExecutionParametersRunFacet", "1-0-0", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="externalQuery",
        doc="The id of a query in the system that ran it.",
        specs=(Spec("ExternalQueryRunFacet", "1-0-2", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="extractionError",
        doc="How many tasks of a run could not be understood, and why.",
        specs=(Spec("ExtractionErrorRunFacet", "1-1-2", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="hierarchy",
        doc="The levels that hold a dataset, from the highest to itself, such as database, schema, table.",
        specs=(Spec("HierarchyDatasetFacet", "1-0-0", (FacetSubject.DATASET,)),),
    ),
    Facet(
        key="inputStatistics",
        doc="Rows, bytes and files that a run read.",
        specs=(Spec("InputStatisticsInputDatasetFacet", "1-0-0", (FacetSubject.INPUT,)),),
    ),
    Facet(
        key="jobDependencies",
        doc="Runs that must come before or after a run.",
        specs=(Spec("JobDependenciesRunFacet", "1-0-1", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="outputStatistics",
        doc="Rows, bytes and files that a run wrote.",
        specs=(Spec("OutputStatisticsOutputDatasetFacet", "1-0-2", (FacetSubject.OUTPUT,)),),
        type=DatasetFacetType.OUTPUT,
    ),
    Facet(
        key="processing_engine",
        doc="The engine that ran a job, such as Spark, with its version.",
        specs=(Spec("ProcessingEngineRunFacet", "1-1-1", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="sourceCode",
        doc="The code of a job and its language.",
        specs=(Spec("SourceCodeJobFacet", "1-0-1", (FacetSubject.JOB,)),),
    ),
    Facet(key="sql", doc="The SQL query of a job.", specs=(Spec("SQLJobFacet", "1-1-0", (FacetSubject.JOB,)),)),
    Facet(
        key="storage",
        doc="The storage layer and file format of a dataset.",
        specs=(Spec("StorageDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
    ),
    Facet(
        key="subset",
        doc="The part of a dataset that was read or written: partitions, places, or a condition on its columns.",
        specs=(Spec("BaseSubsetDatasetFacet", "1-0-0", (FacetSubject.INPUT, FacetSubject.OUTPUT)),),
    ),
    Facet(
        key="test",
        doc="Tests that a run made, and their results.",
        specs=(Spec("TestRunFacet", "1-0-1", (FacetSubject.RUN,)),),
    ),
    Facet(
        key="version",
        doc="The version that the storage of a dataset gives it, such as an Iceberg snapshot.",
        specs=(Spec("DatasetVersionDatasetFacet", "1-0-1", (FacetSubject.DATASET,)),),
        type=DatasetFacetType.DATASET,
    ),
)
"""In the order of their keys."""
