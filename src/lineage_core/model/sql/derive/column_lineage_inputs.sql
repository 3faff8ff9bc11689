-- Which datasets each description of columns takes them from.
-- again: A description arrives for the first time.
-- reads: staging.dataset_column_lineages, dataset_column_lineages
-- writes: column_lineage_inputs

INSERT INTO column_lineage_inputs (lineage_uuid, name_uuid)
SELECT DISTINCT described.uuid, (pair ->> 'dataset')::uuid
FROM (SELECT DISTINCT uuid FROM {staging}.dataset_column_lineages WHERE part_id = ANY (%(parts)s)) AS staged
JOIN dataset_column_lineages AS described USING (uuid)
CROSS JOIN LATERAL jsonb_array_elements(described.pairs) AS pair
WHERE NOT EXISTS (SELECT FROM column_lineage_inputs AS stored WHERE stored.lineage_uuid = staged.uuid)
ORDER BY 1, 2;
