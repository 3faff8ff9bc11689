-- name: job_namespaces
-- The namespaces that have jobs, by name.
SELECT name
FROM namespaces
WHERE EXISTS (SELECT 1 FROM jobs WHERE jobs.namespace_uuid = namespaces.uuid)
ORDER BY name COLLATE "C"
