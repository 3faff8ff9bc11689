-- Alerts of the verdicts of some places that are refused, unless they are there. Where one was resolved, or was about something else,
-- it is raised again, at this moment: somebody may have acknowledged it since the merge began.
INSERT INTO dataset_schema_alerts AS stored (
    dataset_uuid, event_order, version_uuid, changed_at, job_namespace, job_name, run_uuid, refusals
)
SELECT
    judged.dataset_uuid, judged.event_order, judged.version_uuid, judged.current_from, run.namespace_name, run.job_name, run.uuid,
    judged.refusals
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS written (dataset_uuid, event_order)
JOIN dataset_schema_verdicts AS judged USING (dataset_uuid, event_order)
JOIN dataset_versions AS version ON version.uuid = judged.version_uuid
LEFT JOIN runs AS run ON run.uuid = version.run_uuid
WHERE judged.verdict = 'refused'
ORDER BY judged.dataset_uuid, judged.event_order
ON CONFLICT (dataset_uuid, event_order) DO UPDATE SET
    version_uuid = excluded.version_uuid,
    job_namespace = excluded.job_namespace,
    job_name = excluded.job_name,
    run_uuid = excluded.run_uuid,
    refusals = excluded.refusals,
    raised_at = clock_timestamp(),
    resolved_at = NULL,
    resolution = NULL
WHERE stored.resolved_at IS NOT NULL
   OR (stored.version_uuid, stored.refusals) IS DISTINCT FROM (excluded.version_uuid, excluded.refusals)
