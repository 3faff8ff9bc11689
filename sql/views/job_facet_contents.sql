-- The facets of jobs with their contents, a row an event.
-- readers: the view `job_facets` and the reading of facets
-- reads: event_ledger, facet_sets, facets, runs
--
-- Those of a run belong to the version that the run has made, those of a job event to its own. Each branch is one table as it
-- is: only such branches are searched by index for the runs or the versions of a join. So runs bring their version, and the
-- ledger is read once more for their events.
CREATE VIEW job_facet_contents AS
SELECT
    coalesce(of_run.job_uuid, made.job_uuid) AS job_uuid,
    made.job_version_uuid,
    made.run_uuid,
    coalesce(of_run.event_time, made.event_time) AS event_time,
    of_run.lineage_event_type,
    content.uuid AS facet_uuid,
    content.name,
    content.facet
FROM (
    SELECT
        true AS is_run,
        uuid AS run_uuid,
        job_version_uuid,
        NULL::uuid AS run_of_event,
        NULL::uuid AS job_uuid,
        NULL::timestamptz AS event_time,
        NULL::uuid AS set_uuid
    FROM runs
    UNION ALL
    SELECT
        false AS is_run,
        NULL::uuid AS run_uuid,
        job_version_uuid,
        run_uuid AS run_of_event,
        job_uuid,
        event_time,
        job_facets_uuid AS set_uuid
    FROM event_ledger
) AS made
LEFT JOIN event_ledger AS of_run ON of_run.run_uuid = made.run_uuid
JOIN facet_sets ON facet_sets.uuid = coalesce(of_run.job_facets_uuid, made.set_uuid)
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE made.is_run OR made.run_of_event IS NULL;

COMMENT ON VIEW job_facet_contents IS 'The facets of jobs with their contents, a row for each event that has one.';
