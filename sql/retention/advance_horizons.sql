-- From now on nothing of before the cutoffs comes back into the namespaces from which something goes.
INSERT INTO retention_horizons AS known (kind, namespace, before)
SELECT DISTINCT cutoff.kind, cutoff.namespace, cutoff.before
FROM (
    SELECT 'runs' AS kind, job.namespace_name AS namespace
    FROM leaving_runs
    JOIN runs AS run USING (uuid)
    JOIN jobs AS job ON job.uuid = run.job_uuid
    UNION
    SELECT 'runs', job.namespace_name
    FROM leaving_events
    JOIN event_ledger AS ledger USING (event_order)
    JOIN jobs AS job ON job.uuid = ledger.job_uuid
    UNION
    SELECT 'versions', dataset.namespace_name
    FROM leaving_versions
    JOIN dataset_versions AS version USING (uuid)
    JOIN datasets AS dataset ON dataset.uuid = version.dataset_uuid
) AS going
JOIN cutoffs AS cutoff USING (kind, namespace)
ON CONFLICT (kind, namespace) DO UPDATE SET before = excluded.before
WHERE known.before < excluded.before
