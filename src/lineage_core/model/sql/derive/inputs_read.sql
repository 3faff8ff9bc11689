-- The version that each input read, by the timeline.
-- again: The timeline changes before it.
-- reads: dataset_version_timeline, changed_timelines
-- writes: dataset_mentions, slice_mentions
--
-- Which version each input read: the one that was current before its event, or the one that it made itself as the first to know
-- the dataset. An input that finds neither, of a job event, keeps its own.

-- resolved_reads: inputs of new events, and those of earlier slices behind a change of the timeline, that read another
-- version than they are kept with.
CREATE TEMP TABLE resolved_reads ON COMMIT DROP AS
SELECT input.*, resolved.version_uuid
FROM (
    SELECT dataset_uuid, event_order, place, run_uuid, schema_uuid, own_version_uuid,
        version_uuid AS old_version_uuid, is_purged, true AS is_new
    FROM slice_mentions
    WHERE role = input_role()
    UNION ALL
    SELECT stored.dataset_uuid, stored.event_order, stored.place, stored.run_uuid, stored.schema_uuid,
        stored.own_version_uuid, stored.version_uuid, stored.is_purged, false
    -- Before version 18 Postgres has no min() of bytea; in hexadecimal digits, "C" orders as the bytes do.
    FROM (SELECT dataset_uuid, min(encode(event_order, 'hex') COLLATE "C") AS since FROM changed_timelines GROUP BY 1) AS changed
    JOIN dataset_mentions AS stored
        ON stored.dataset_uuid = changed.dataset_uuid
       AND stored.role = input_role()
       AND stored.event_order >= decode(changed.since, 'hex')
) AS input
CROSS JOIN LATERAL (
    SELECT pointer.version_uuid
    FROM dataset_version_timeline AS pointer
    WHERE pointer.dataset_uuid = input.dataset_uuid
      AND pointer.event_order <= input.event_order
      AND (pointer.event_order < input.event_order OR NOT pointer.is_written)
    ORDER BY pointer.event_order DESC, pointer.is_written DESC
    LIMIT 1
) AS resolved
WHERE input.old_version_uuid <> resolved.version_uuid;

UPDATE slice_mentions AS mention
SET version_uuid = resolved.version_uuid
FROM resolved_reads AS resolved
WHERE resolved.is_new
  AND mention.dataset_uuid = resolved.dataset_uuid
  AND mention.role = input_role()
  AND mention.event_order = resolved.event_order
  AND mention.place = resolved.place;

-- moved_reads: inputs of earlier slices that late events have now read another version.
CREATE TEMP TABLE moved_reads ON COMMIT DROP AS
SELECT * FROM resolved_reads WHERE NOT is_new;

ANALYZE moved_reads;

UPDATE dataset_mentions AS input
SET version_uuid = moved.version_uuid
FROM moved_reads AS moved
WHERE input.dataset_uuid = moved.dataset_uuid
  AND input.role = input_role()
  AND input.event_order = moved.event_order
  AND input.place = moved.place;

INSERT INTO dataset_mentions (
    dataset_uuid, role, event_order, place, name_uuid, event_time, run_uuid, version_uuid, own_version_uuid,
    namespace_name, dataset_name, lifecycle_state, schema_uuid, lineage_uuid, lineage_event_type, facets_uuid, io_facets_uuid,
    is_current_at_once, is_purged
)
SELECT
    dataset_uuid, role, event_order, place, name_uuid, event_time, run_uuid, version_uuid, own_version_uuid,
    namespace_name, dataset_name, lifecycle_state, schema_uuid, lineage_uuid, lineage_event_type, facets_uuid, io_facets_uuid,
    is_current_at_once, is_purged
FROM slice_mentions
WHERE role = input_role()
ORDER BY dataset_uuid, event_order, place;
