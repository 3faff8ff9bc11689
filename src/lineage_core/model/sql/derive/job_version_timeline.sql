-- Which version of a job is in force from which event on.
-- again: A moment of the job arrives, or what its run had named by then is more.
-- reads: dataset_mentions, event_ledger, moment_datasets, moments
-- writes: job_version_timeline
-- before: model/derive/unreferenced
--
-- Of the moments, which are in event_ledger.sql, a FAIL or ABORT, one that names no dataset, and one ahead of its receipt put no
-- version in force (see docs/decisions/0060). Names are only added to a moment, so it stays in force once it is.

-- moments_in_force: the touched moments that put a version in force. Whether one itself names datasets is asked of those that its
-- run had named, each by its key: the index by runs would give all that the run ever named.
CREATE TEMP TABLE moments_in_force ON COMMIT DROP AS
SELECT moment.job_uuid, moment.event_order, moment.run_uuid, moment.version_uuid AS job_version_uuid
FROM moments AS moment
JOIN event_ledger AS event USING (event_order)
WHERE puts_in_force(
    event.run_uuid,
    event.event_order,
    event.is_complete,
    event.lineage_event_type,
    EXISTS (
        SELECT
        FROM moment_datasets AS named
        CROSS JOIN LATERAL (
            SELECT
            FROM dataset_mentions
            WHERE dataset_uuid = named.dataset_uuid AND role = named.role AND event_order = named.event_order
            LIMIT 1
        ) AS mention
        WHERE named.event_order = moment.event_order
    )
)
AND EXISTS (SELECT FROM moment_datasets AS named WHERE named.event_order = moment.event_order);

CREATE UNIQUE INDEX ON moments_in_force (job_uuid, event_order);
ANALYZE moments_in_force;

MERGE INTO job_version_timeline AS stored
USING moments_in_force AS moment ON stored.job_uuid = moment.job_uuid AND stored.event_order = moment.event_order
WHEN MATCHED AND stored.job_version_uuid <> moment.job_version_uuid THEN UPDATE SET job_version_uuid = moment.job_version_uuid
WHEN NOT MATCHED THEN INSERT (job_uuid, event_order, run_uuid, job_version_uuid)
VALUES (moment.job_uuid, moment.event_order, moment.run_uuid, moment.job_version_uuid);
