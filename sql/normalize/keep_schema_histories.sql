-- By what schemas are judged.
INSERT INTO dataset_schema_histories (uuid, dataset_uuid, history)
SELECT uuid, dataset_uuid, history::jsonb
FROM unnest(%(uuids)s::uuid[], %(datasets)s::uuid[], %(histories)s::text[]) AS known (uuid, dataset_uuid, history)
ORDER BY uuid
ON CONFLICT (uuid) DO NOTHING
