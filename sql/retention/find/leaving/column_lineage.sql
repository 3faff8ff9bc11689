-- Column lineage that goes.

-- leaving_lineages: pairs of versions whose column lineage goes: with one of them, or with the run that has said it.
CREATE TEMP TABLE leaving_lineages AS
SELECT
    stored.output_dataset_version_uuid,
    stored.input_dataset_version_uuid,
    row_number() OVER (ORDER BY stored.output_dataset_version_uuid, stored.input_dataset_version_uuid) AS number
FROM column_lineage_versions AS stored
WHERE stored.output_dataset_version_uuid IN (
    SELECT uuid FROM leaving_versions
    UNION
    SELECT mention.version_uuid
    FROM leaving_runs
    JOIN dataset_mentions AS mention ON mention.run_uuid = leaving_runs.uuid AND mention.role = output_role()
)
OR stored.input_dataset_version_uuid IN (SELECT uuid FROM leaving_versions);
