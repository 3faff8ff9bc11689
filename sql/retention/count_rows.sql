-- Rows that go, for each table from which more goes than what names one thing.
SELECT 'dataset_mentions' AS table, count(*) AS rows FROM leaving_mentions
UNION ALL
SELECT 'parent_mentions', count(*) FROM leaving_parents
UNION ALL
SELECT 'column_lineage_versions', count(*) FROM leaving_lineages
UNION ALL
SELECT 'dataset_version_timeline', count(*) FROM leaving_rows
UNION ALL
SELECT 'dataset_schema_verdicts', count(*) FROM leaving_verdicts
UNION ALL
SELECT 'dataset_schema_versions', count(*) FROM leaving_schema_versions
UNION ALL
SELECT 'dataset_schema_versions_field_mapping', count(*)
FROM dataset_schema_versions_field_mapping
JOIN leaving_schema_versions ON leaving_schema_versions.uuid = dataset_schema_version_uuid
UNION ALL
SELECT 'dataset_fields_tag_mapping', count(*)
FROM dataset_fields_tag_mapping
JOIN dataset_fields AS field ON field.uuid = dataset_field_uuid
JOIN leaving_datasets AS leaving ON leaving.uuid = field.dataset_uuid
UNION ALL
SELECT 'dataset_names', count(*) FROM leaving_dataset_names
