-- Who owns what: namespaces by their owners, datasets and jobs by the last ownership facet of each.
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT owned.kind COLLATE "C" AS kind, owned.namespace COLLATE "C" AS namespace, owned.name COLLATE "C" AS name, owned.owner COLLATE "C" AS owner, owned.type COLLATE "C" AS type
FROM (
    SELECT 'namespace' AS kind, namespace.name AS namespace, '' AS name, namespace.current_owner_name AS owner, NULL AS type
    FROM namespaces AS namespace
    WHERE namespace.current_owner_name <> 'anonymous'
    UNION ALL
    SELECT 'dataset', dataset.namespace_name, dataset.name, owner.name, ownership.type
    FROM dataset_ownerships AS ownership
    JOIN datasets AS dataset ON dataset.uuid = ownership.dataset_uuid
    JOIN owners AS owner ON owner.uuid = ownership.owner_uuid
    UNION ALL
    SELECT 'job', job.namespace_name, job.name, owner.name, ownership.type
    FROM job_ownerships AS ownership
    JOIN jobs AS job ON job.uuid = ownership.job_uuid
    JOIN owners AS owner ON owner.uuid = ownership.owner_uuid
) AS owned
WHERE :'namespace' = '' OR owned.namespace = :'namespace'
ORDER BY 1 DESC, 2, 3, 4, 5;
