-- Which columns each column of a dataset's current version comes from, and by way of which transformations: direct ones first.
-- parameters: dataset
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT DISTINCT
    output_field.name COLLATE "C" AS "column",
    (input.name || '.' || input_field.name) COLLATE "C" AS comes_from,
    lineage.transformation_type COLLATE "C" AS by_way_of
FROM datasets AS output
JOIN column_lineage AS lineage ON lineage.output_dataset_version_uuid = output.current_version_uuid
JOIN dataset_fields AS output_field ON output_field.uuid = lineage.output_dataset_field_uuid
JOIN dataset_fields AS input_field ON input_field.uuid = lineage.input_dataset_field_uuid
JOIN datasets AS input ON input.uuid = input_field.dataset_uuid
WHERE output.name = :'dataset' AND (:'namespace' = '' OR output.namespace_name = :'namespace')
ORDER BY 1, 3, 2;
