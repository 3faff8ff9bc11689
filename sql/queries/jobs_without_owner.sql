-- Jobs that no ownership facet and no namespace gives an owner.
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT job.namespace_name COLLATE "C" AS job_namespace, job.name COLLATE "C" AS job, job.updated_at AS last_seen
FROM jobs_view AS job
JOIN namespaces AS namespace ON namespace.uuid = job.namespace_uuid
WHERE (:'namespace' = '' OR job.namespace_name = :'namespace')
  AND coalesce(namespace.current_owner_name, '') IN ('', 'anonymous')
  AND NOT EXISTS (SELECT FROM job_ownerships AS ownership WHERE ownership.job_uuid = job.uuid)
ORDER BY 1, 2;
