-- Dataset versions that are old enough to go.

-- horizon_rows: versions that were current at the cutoff of their dataset, or became so later. Late events may read them.
CREATE TEMP TABLE horizon_rows AS
WITH placed AS (
    SELECT
        row.dataset_uuid,
        row.version_uuid,
        row.event_order,
        substr(row.event_order, 2, 8) < int8send(microseconds(cutoff.before) # (-9223372036854775808)) AS is_before
    FROM dataset_version_timeline AS row
    JOIN datasets AS dataset ON dataset.uuid = row.dataset_uuid
    JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
)
SELECT version_uuid FROM placed WHERE NOT is_before
UNION
SELECT version_uuid
FROM (
    SELECT DISTINCT ON (dataset_uuid, is_ahead(event_order)) version_uuid
    FROM placed
    WHERE is_before
    ORDER BY dataset_uuid, is_ahead(event_order), event_order DESC
) AS last_before;

-- old_versions: dataset versions that were made before the cutoff, or ahead of the moment, and why they stay, null if they go.
CREATE TEMP TABLE old_versions AS
WITH lasts AS (
    SELECT uuid, row_number() OVER (PARTITION BY dataset_uuid ORDER BY created_at DESC, uuid) AS number
    FROM dataset_versions
    WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'versions' AND keep_last > 0)
)
SELECT
    version.uuid,
    CASE
        WHEN version.created_at >= cutoff.as_of THEN 'in the future'
        WHEN EXISTS (
            SELECT
            FROM datasets_held AS held
            WHERE held.uuid = version.dataset_uuid
              AND (held.events_since IS NULL OR held.events_since <= version.created_at)
              AND (held.events_until IS NULL OR held.events_until > version.created_at)
        )
        OR EXISTS (SELECT FROM mentions_held AS held WHERE held.version_uuid = version.uuid)
        THEN 'legal hold'
        WHEN version.dataset_uuid IN (SELECT uuid FROM leaving_datasets) THEN NULL
        WHEN cutoff.is_emptied THEN 'of a dataset that stays'
        WHEN version.uuid IN (SELECT current_version_uuid FROM datasets WHERE current_version_uuid IS NOT NULL) THEN 'current'
        WHEN lasts.number <= cutoff.keep_last THEN 'last versions of the dataset'
        WHEN EXISTS (
            SELECT
            FROM dataset_mentions AS mention
            WHERE mention.version_uuid = version.uuid
              AND mention.run_uuid IS NOT NULL
              AND NOT mention.is_purged
              AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = mention.run_uuid)
        ) THEN 'read or written by a run that stays'
        WHEN version.uuid IN (SELECT version_uuid FROM horizon_rows) THEN 'current at the horizon'
        WHEN EXISTS (
            SELECT
            FROM dataset_mentions AS mention
            JOIN event_ledger AS ledger USING (event_order)
            WHERE mention.version_uuid = version.uuid
              AND mention.run_uuid IS NULL
              AND NOT mention.is_purged
              AND (
                  (ledger.job_uuid IS NULL AND mention.event_time >= cutoff.before)
                  OR (
                      ledger.job_uuid IS NOT NULL
                      AND NOT EXISTS (SELECT FROM old_job_events AS old WHERE old.event_order = mention.event_order)
                  )
              )
        ) THEN 'named by an event that stays'
    END AS stays
FROM dataset_versions AS version
JOIN datasets AS dataset ON dataset.uuid = version.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
LEFT JOIN lasts ON lasts.uuid = version.uuid
WHERE version.created_at < cutoff.before OR version.created_at >= cutoff.as_of;

CREATE UNIQUE INDEX ON old_versions (uuid);
ANALYZE old_versions;
