-- Rendered from model/tables/facets.py by `lineage sql`: edit the declaration, not this file.
INSERT INTO facets (uuid, name, facet)
SELECT DISTINCT ON (staged.uuid)
    staged.uuid AS uuid,
    staged.name AS name,
    staged.facet AS facet
FROM {staging}.facets AS staged
WHERE staged.part_id = ANY (%(parts)s)
ORDER BY staged.uuid
ON CONFLICT (uuid) DO NOTHING;
