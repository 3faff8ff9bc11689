-- Which job each named parent is, and which run stands for the one that is named.
-- again: An event names a parent, or a parent reports for the first time or as another job.
-- reads: staging.parent_mentions, identity_map of jobs, runs, new_events, runs_before
-- writes: parent_mentions
--
-- Which job each named parent is. A parent run that reports itself is the job that it says. One that does not is the job that
-- the first event naming it says, in the child's namespace. Where a facet says another job than that, the child's job has the
-- job that the facet says, in the child's namespace, as its parent, and another run stands for the one it names. A job that an
-- earlier event has named before it was there may have a row of another writer by now: what is judged again finds that.

-- slice_parents: the parents that the new events name, with stored uuids.
CREATE TEMP TABLE slice_parents ON COMMIT DROP AS
SELECT
    staged.parent_run_uuid,
    staged.event_order,
    staged.event_time,
    staged.run_uuid,
    coalesce(known_job.uuid, staged.job_uuid) AS job_uuid,
    coalesce(known_named.uuid, staged.named_job_uuid) AS named_job_uuid,
    coalesce(known_local.uuid, staged.local_job_uuid) AS local_job_uuid,
    staged.conflicting_run_uuid,
    staged.parent_job_name,
    staged.external_id,
    staged.is_streaming,
    staged.location,
    staged.says,
    staged.state,
    staged.state_uuid,
    staged.nominal_start_time,
    staged.nominal_end_time
FROM {staging}.parent_mentions AS staged
JOIN new_events USING (part_id, event_no)
LEFT JOIN identity_map AS known_job ON known_job.entity = 'jobs' AND known_job.key_uuid = staged.job_uuid
LEFT JOIN identity_map AS known_named ON known_named.entity = 'jobs' AND known_named.key_uuid = staged.named_job_uuid
LEFT JOIN identity_map AS known_local ON known_local.entity = 'jobs' AND known_local.key_uuid = staged.local_job_uuid
WHERE staged.part_id = ANY (%(parts)s);

CREATE INDEX ON slice_parents (parent_run_uuid, event_order);
ANALYZE slice_parents;

-- touched_parents: the runs that new events name as parents, and those that are another job's than before. is_whole: what
-- earlier events say of it has to be judged again.
CREATE TEMP TABLE touched_parents ON COMMIT DROP AS
SELECT
    touched.run_uuid,
    coalesce(reported.job_uuid, known_local.uuid, first_mention.local_job_uuid) AS job_uuid,
    first_mention.event_order AS first_mention,
    touched.is_changed OR coalesce(first_mention.is_new, false) AS is_whole
FROM (
    SELECT run_uuid, bool_or(is_changed) AS is_changed
    FROM (
        SELECT DISTINCT parent_run_uuid AS run_uuid, false AS is_changed
        FROM slice_parents
        UNION ALL
        SELECT runs_before.uuid, true
        FROM runs_before
        JOIN runs USING (uuid)
        WHERE runs_before.is_made OR runs.job_uuid IS DISTINCT FROM runs_before.job_uuid
    ) AS named_or_changed
    GROUP BY run_uuid
) AS touched
LEFT JOIN runs AS reported ON reported.uuid = touched.run_uuid AND reported.first_event IS NOT NULL
-- The first of either table by its index: a parent with a million children takes as long as one with two.
LEFT JOIN LATERAL (
    SELECT event_order, local_job_uuid, is_new
    FROM (
        (
            SELECT event_order, local_job_uuid, false AS is_new
            FROM parent_mentions
            WHERE parent_run_uuid = touched.run_uuid
            ORDER BY event_order
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order, local_job_uuid, true AS is_new
            FROM slice_parents
            WHERE parent_run_uuid = touched.run_uuid
            ORDER BY event_order
            LIMIT 1
        )
    ) AS candidates
    WHERE reported.uuid IS NULL
    ORDER BY event_order
    LIMIT 1
) AS first_mention ON true
LEFT JOIN identity_map AS known_local
    ON known_local.entity = 'jobs' AND known_local.key_uuid = first_mention.local_job_uuid;

ANALYZE touched_parents;

-- settled_parents: the new mentions, and the earlier ones that are judged again, each with what follows from it now.
CREATE TEMP TABLE settled_parents ON COMMIT DROP AS
SELECT
    mention.event_order,
    mention.event_time,
    mention.job_uuid,
    mention.named_job_uuid,
    mention.local_job_uuid,
    mention.state,
    mention.state_uuid,
    mention.is_new,
    mention.old_run_uuid,
    parent.run_uuid AS parent_run_uuid,
    CASE WHEN mention.named_job_uuid = parent.job_uuid THEN parent.job_uuid ELSE mention.local_job_uuid END
        AS parent_job_uuid,
    CASE
        WHEN mention.event_order = parent.first_mention THEN parent.run_uuid
        WHEN mention.named_job_uuid <> parent.job_uuid THEN mention.conflicting_run_uuid
    END AS made_run_uuid
FROM (
    SELECT
        parent_run_uuid, event_order, event_time, job_uuid, named_job_uuid, local_job_uuid, conflicting_run_uuid, state,
        state_uuid, true AS is_new, NULL::uuid AS old_run_uuid
    FROM slice_parents
    UNION ALL
    SELECT
        stored.parent_run_uuid,
        stored.event_order,
        stored.event_time,
        stored.job_uuid,
        coalesce(known_named.uuid, stored.named_job_uuid),
        coalesce(known_local.uuid, stored.local_job_uuid),
        stored.conflicting_run_uuid,
        stored.state,
        stored.state_uuid,
        false,
        stored.made_run_uuid
    FROM touched_parents AS touched
    JOIN parent_mentions AS stored ON stored.parent_run_uuid = touched.run_uuid
    LEFT JOIN identity_map AS known_named
        ON known_named.entity = 'jobs' AND known_named.key_uuid = stored.named_job_uuid
    LEFT JOIN identity_map AS known_local
        ON known_local.entity = 'jobs' AND known_local.key_uuid = stored.local_job_uuid
    WHERE touched.is_whole
) AS mention
JOIN touched_parents AS parent ON parent.run_uuid = mention.parent_run_uuid;

CREATE INDEX ON settled_parents (event_order);
ANALYZE settled_parents;

INSERT INTO parent_mentions (
    parent_run_uuid, event_order, event_time, run_uuid, job_uuid, named_job_uuid, local_job_uuid, conflicting_run_uuid,
    parent_job_name, external_id, is_streaming, location, says, state, state_uuid, nominal_start_time, nominal_end_time,
    parent_job_uuid, made_run_uuid
)
SELECT
    slice.parent_run_uuid, slice.event_order, slice.event_time, slice.run_uuid, slice.job_uuid, slice.named_job_uuid,
    slice.local_job_uuid, slice.conflicting_run_uuid, slice.parent_job_name, slice.external_id, slice.is_streaming,
    slice.location, slice.says, slice.state, slice.state_uuid, slice.nominal_start_time, slice.nominal_end_time,
    settled.parent_job_uuid, settled.made_run_uuid
FROM slice_parents AS slice
JOIN settled_parents AS settled USING (event_order)
ORDER BY slice.parent_run_uuid, slice.event_order;

UPDATE parent_mentions AS stored
SET named_job_uuid = settled.named_job_uuid,
    local_job_uuid = settled.local_job_uuid,
    parent_job_uuid = settled.parent_job_uuid,
    made_run_uuid = settled.made_run_uuid
FROM settled_parents AS settled
WHERE stored.parent_run_uuid = settled.parent_run_uuid
  AND stored.event_order = settled.event_order
  AND NOT settled.is_new
  AND (stored.named_job_uuid, stored.local_job_uuid, stored.parent_job_uuid, stored.made_run_uuid) IS DISTINCT FROM
      (settled.named_job_uuid, settled.local_job_uuid, settled.parent_job_uuid, settled.made_run_uuid);
