-- Rendered from model/tables/dataset_column_lineages.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO dataset_column_lineages (uuid, pairs)
SELECT DISTINCT ON (staged.uuid)
    staged.uuid AS uuid,
    staged.pairs AS pairs
FROM {staging}.dataset_column_lineages AS staged
WHERE staged.part_id = ANY (%(parts)s)
ORDER BY staged.uuid
ON CONFLICT (uuid) DO NOTHING;
