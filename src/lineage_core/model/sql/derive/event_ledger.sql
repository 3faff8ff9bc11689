-- The new events, each with the job version that it makes, by the datasets that the run had named by that moment.
-- again: A mention of the run arrives, however late; a version that it named is another, or has another name.
-- reads: dataset_mentions, dataset_versions, identity_map of job_versions, jobs, moved_reads, new_events, renamed_versions,
--     slice_mentions
-- writes: event_ledger
--
-- Keeps the new events, each with the job version that it made. A moment is an event that makes one: the end of a run, a job
-- event, any event of a streaming job. The version follows from the datasets that the run had named by then, and from the names
-- of the versions that it read, so mentions that arrive late change it.

-- late_names: the places where what a run, or a job event, has named is not what it was.
CREATE TEMP TABLE late_names ON COMMIT DROP AS
SELECT run_uuid, event_order
FROM slice_mentions
WHERE run_uuid IS NOT NULL OR old_dataset_uuid IS NOT NULL
UNION ALL
SELECT moved.run_uuid, moved.event_order
FROM moved_reads AS moved
JOIN dataset_versions AS read ON read.uuid = moved.version_uuid
LEFT JOIN dataset_versions AS read_before ON read_before.uuid = moved.old_version_uuid
WHERE (read.namespace_name, read.dataset_name) IS DISTINCT FROM (read_before.namespace_name, read_before.dataset_name)
   OR moved.old_version_uuid IN (SELECT version_uuid FROM renamed_versions)
UNION ALL
SELECT mention.run_uuid, mention.event_order
FROM renamed_versions AS renamed
JOIN dataset_mentions AS mention USING (version_uuid);

ANALYZE late_names;

-- touched_moments: the moments of new events, and those of earlier slices at a late name or behind it.
CREATE TEMP TABLE touched_moments ON COMMIT DROP AS
SELECT event_order, event_time, run_uuid, job_uuid, location, NULL::uuid AS old_version_uuid
FROM new_events
WHERE makes_job_version
UNION ALL
SELECT stored.event_order, stored.event_time, stored.run_uuid, stored.job_uuid, stored.location, stored.job_version_uuid
FROM (
    -- Before version 18 Postgres has no min() of bytea; in hexadecimal digits, "C" orders as the bytes do.
    SELECT run_uuid, min(encode(event_order, 'hex') COLLATE "C") AS since
    FROM late_names
    WHERE run_uuid IS NOT NULL
    GROUP BY run_uuid
) AS named
JOIN event_ledger AS stored
    ON stored.run_uuid = named.run_uuid
   AND stored.makes_job_version
   AND NOT stored.is_purged
   AND stored.event_order >= decode(named.since, 'hex')
UNION ALL
SELECT stored.event_order, stored.event_time, stored.run_uuid, stored.job_uuid, stored.location, stored.job_version_uuid
FROM (SELECT DISTINCT event_order FROM late_names WHERE run_uuid IS NULL) AS named
JOIN event_ledger AS stored USING (event_order)
WHERE stored.makes_job_version AND NOT stored.is_purged;

ANALYZE touched_moments;

-- moment_datasets: the datasets that the run of each moment had named by then, or that its job event names, by each name, name
-- of a version and description of their columns.
CREATE TEMP TABLE moment_datasets ON COMMIT DROP AS
SELECT DISTINCT named.*
FROM (SELECT run_uuid, array_agg(event_order) AS event_orders FROM touched_moments GROUP BY run_uuid) AS touched
CROSS JOIN LATERAL named_datasets(touched.run_uuid, touched.event_orders) AS named;

CREATE INDEX ON moment_datasets (event_order);
ANALYZE moment_datasets;

-- moments: the moments, each with the version that it makes now, and the one that it made before.
CREATE TEMP TABLE moments ON COMMIT DROP AS
WITH listed AS (
    SELECT
        event_order,
        role,
        string_agg(
            namespace_name || ':' || dataset_name,
            ':'
            ORDER BY utf16_order(namespace_name) COLLATE "C", utf16_order(dataset_name) COLLATE "C"
        ) AS names
    FROM (SELECT DISTINCT event_order, role, namespace_name, dataset_name FROM moment_datasets) AS names_of_moments
    GROUP BY event_order, role
)
SELECT
    touched.event_order,
    touched.event_time,
    touched.run_uuid,
    touched.job_uuid,
    touched.location,
    touched.old_version_uuid,
    derived.version,
    coalesce(known_version.uuid, derived.version) AS version_uuid
FROM touched_moments AS touched
JOIN jobs ON jobs.uuid = touched.job_uuid
LEFT JOIN listed AS inputs ON inputs.event_order = touched.event_order AND inputs.role = input_role()
LEFT JOIN listed AS outputs ON outputs.event_order = touched.event_order AND outputs.role = output_role()
CROSS JOIN LATERAL (
    SELECT java_uuid(
        concat_ws(
            ':', jobs.namespace_name, jobs.name, coalesce(inputs.names, ''), coalesce(outputs.names, ''),
            touched.location
        )
    )
) AS derived (version)
LEFT JOIN identity_map AS known_version
    ON known_version.entity = 'job_versions' AND known_version.key_uuid = derived.version;

ANALYZE moments;

INSERT INTO event_ledger (
    event_order, event_time, run_uuid, job_uuid, is_complete, makes_job_version, location, lineage_event_type, run_facets_uuid,
    job_facets_uuid, job_version_uuid
)
SELECT
    new_events.event_order,
    new_events.event_time,
    new_events.run_uuid,
    new_events.job_uuid,
    new_events.is_complete,
    new_events.makes_job_version,
    new_events.location,
    new_events.lineage_event_type,
    new_events.run_facets_uuid,
    new_events.job_facets_uuid,
    moments.version_uuid
FROM new_events
LEFT JOIN moments USING (event_order)
ORDER BY new_events.event_order;

UPDATE event_ledger AS stored
SET job_version_uuid = moments.version_uuid
FROM moments
WHERE stored.event_order = moments.event_order
  AND stored.job_version_uuid IS DISTINCT FROM moments.version_uuid;
