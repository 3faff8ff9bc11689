-- Rendered from model/tables/facet_sets.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO facet_sets (uuid, facets)
SELECT DISTINCT ON (staged.uuid)
    staged.uuid AS uuid,
    staged.facets AS facets
FROM {staging}.facet_sets AS staged
WHERE staged.part_id = ANY (%(parts)s)
ORDER BY staged.uuid
ON CONFLICT (uuid) DO NOTHING;
