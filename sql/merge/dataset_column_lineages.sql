-- Rendered from model/tables/dataset_column_lineages.py by `lineage sql`: edit the declaration, not this file.
WITH folded AS (
    SELECT
        uuid,
        (array_agg(pairs))[1] AS pairs
    FROM (
        SELECT
            staged.uuid AS uuid,
            staged.pairs AS pairs
        FROM {staging}.dataset_column_lineages AS staged
        WHERE staged.part_id = ANY (%(parts)s)
    ) AS resolved
    GROUP BY uuid
)
INSERT INTO dataset_column_lineages AS stored (uuid, pairs)
SELECT uuid, pairs
FROM folded
ORDER BY uuid
ON CONFLICT (uuid) DO NOTHING;
