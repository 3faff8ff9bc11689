-- name: delete/dataset_schemas/leave_descriptions
-- Columns that the schemas of a chunk describe last keep what these say, and which event did: only a later one says otherwise. A column
-- of an earlier release names that event already, and says of another time that it is as it is since then. They are locked in the order
-- in which the migration locks them that names their schemas.
WITH described AS MATERIALIZED (
    SELECT field.uuid, schema.latest_event, schema.created_at
    FROM leaving_dataset_schemas AS leaving
    JOIN dataset_schemas AS schema USING (uuid)
    JOIN datasets AS dataset ON dataset.name_uuid = schema.own_name_uuid
    JOIN dataset_fields AS field ON field.dataset_uuid = dataset.uuid
    WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
      AND (field.schema_uuid = schema.uuid OR field.latest_event = schema.latest_event)
    ORDER BY field.uuid
    FOR UPDATE OF field
)
UPDATE dataset_fields AS stored
SET schema_uuid = NULL, latest_event = described.latest_event, updated_at = described.created_at
FROM described
WHERE stored.uuid = described.uuid

-- name: delete/datasets/dataset_fields_tag_mapping
-- The tags of the columns of the datasets of a chunk.
DELETE FROM dataset_fields_tag_mapping AS stored
USING leaving_datasets AS leaving, dataset_fields AS field
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND field.dataset_uuid = leaving.uuid
  AND stored.dataset_field_uuid = field.uuid

-- name: delete/datasets/dataset_endings
-- When the datasets of a chunk were dropped or renamed.
DELETE FROM dataset_endings AS stored
USING leaving_dataset_names AS leaving
WHERE leaving.dataset_number > %(after)s AND leaving.dataset_number <= %(until)s AND stored.name_uuid = leaving.uuid

-- name: delete/datasets/dataset_names
-- All names of the datasets of a chunk.
DELETE FROM dataset_names AS stored
USING leaving_dataset_names AS leaving
WHERE leaving.dataset_number > %(after)s AND leaving.dataset_number <= %(until)s AND stored.uuid = leaving.uuid

-- name: delete/edges/job_edges
-- The edges of a chunk that ended before the cutoff.
DELETE FROM job_edges AS stored
USING leaving_edges AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.job_uuid, stored.role, stored.name_uuid, stored.lineage_uuid, stored.since_event)
      = (leaving.job_uuid, leaving.role, leaving.name_uuid, leaving.lineage_uuid, leaving.since_event)

-- name: delete/job_events/dataset_mentions
-- What the job events of a chunk have named, and no version needs.
DELETE FROM dataset_mentions AS stored
USING old_job_events AS leaving
JOIN leaving_mentions AS mention USING (event_order)
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid IS NULL
  AND (stored.dataset_uuid, stored.role, stored.event_order, stored.place)
      = (mention.dataset_uuid, mention.role, mention.event_order, mention.place)

-- name: delete/job_events/event_ledger
-- Job events of a chunk that no job version needs.
DELETE FROM event_ledger AS stored
USING old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.event_order = leaving.event_order
  AND EXISTS (SELECT FROM leaving_events AS event WHERE event.event_order = stored.event_order)

-- name: delete/job_events/mark_events
-- The other job events of a chunk are facts for others from now on.
UPDATE event_ledger AS stored
SET is_purged = true, job_facets_uuid = NULL
FROM old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.event_order = leaving.event_order

-- name: delete/job_events/mark_mentions
-- What else they have named is a fact for others from now on.
UPDATE dataset_mentions AS stored
SET is_purged = true, facets_uuid = NULL, io_facets_uuid = NULL, lineage_uuid = NULL
FROM old_job_events AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid IS NULL AND stored.event_order = leaving.event_order

-- name: delete/mentions/dataset_mentions
-- The mentions of a chunk that nothing needs any more, of what was deleted before.
DELETE FROM dataset_mentions AS stored
USING leaving_mentions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.dataset_uuid, stored.role, stored.event_order, stored.place)
      = (leaving.dataset_uuid, leaving.role, leaving.event_order, leaving.place)

-- name: delete/moments/job_version_timeline
-- The moments of a chunk that are not the last before the cutoff.
DELETE FROM job_version_timeline AS stored
USING leaving_moments AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.job_uuid, stored.event_order) = (leaving.job_uuid, leaving.event_order)

-- name: delete/parents/parent_mentions
-- The mentions of parents of a chunk that nothing needs any more, by runs that were deleted before.
DELETE FROM parent_mentions AS stored
USING leaving_parents AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND (stored.parent_run_uuid, stored.event_order) = (leaving.parent_run_uuid, leaving.event_order)

-- name: delete/references/unname_datasets
-- Nor do the datasets of a chunk.
UPDATE datasets AS stored
SET current_version_uuid = NULL
FROM naming_datasets AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid

-- name: delete/references/unname_jobs
-- The jobs of a chunk name nothing any more, so that what they name may go before them, and they in any order.
UPDATE jobs AS stored
SET current_version_uuid = NULL, current_run_uuid = NULL, parent_job_uuid = NULL, symlink_target_uuid = NULL
FROM naming_jobs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid

-- name: delete/rows
-- The rows of a table that name what goes of a chunk.
DELETE FROM {table} AS stored
USING {leaving} AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.{column} = leaving.{key}

-- name: delete/rows_among
-- Of the rows of a table that are about one kind of thing, those that name what goes of a chunk.
DELETE FROM {table} AS stored
USING {leaving} AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.{of} = %(among)s AND stored.{column} = leaving.{key}

-- name: delete/runs/column_lineage_versions
-- Column lineage that the runs of a chunk have stated.
DELETE FROM column_lineage_versions AS stored
USING leaving_runs AS leaving, dataset_mentions AS written
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND written.run_uuid = leaving.uuid
  AND written.role = output_role()
  AND stored.output_dataset_version_uuid = written.version_uuid

-- name: delete/runs/dataset_mentions
-- Mentions by the runs of a chunk that no version needs.
DELETE FROM dataset_mentions AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid = leaving.uuid
  AND NOT EXISTS (
      SELECT
      FROM needed_mentions AS needed
      WHERE needed.event_order = stored.event_order
        AND (needed.dataset_uuid, needed.role, needed.place) = (stored.dataset_uuid, stored.role, stored.place)
  )

-- name: delete/runs/event_ledger
-- Events of the runs of a chunk that no job version needs.
DELETE FROM event_ledger AS stored
USING leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.run_uuid = leaving.uuid
  AND EXISTS (SELECT FROM leaving_events AS event WHERE event.event_order = stored.event_order)

-- name: delete/runs/keep_purged_runs
-- The runs of a chunk are remembered for a while, counted from the time up to which runs go if that lies in the future.
INSERT INTO retention_purged_runs (uuid, purged_at)
SELECT uuid, greatest(now(), (SELECT max(before) FROM cutoffs WHERE kind = 'runs'))
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
ON CONFLICT (uuid) DO UPDATE SET purged_at = excluded.purged_at

-- name: delete/runs/mark_events
-- The other events of these runs are facts for others from now on: no one sees what they say of their runs.
UPDATE event_ledger AS stored
SET is_purged = true, run_facets_uuid = NULL, job_facets_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid

-- name: delete/runs/mark_mentions
-- The other mentions by these runs are facts for others from now on.
UPDATE dataset_mentions AS stored
SET is_purged = true, facets_uuid = NULL, io_facets_uuid = NULL, lineage_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid

-- name: delete/runs/mark_parents
-- What else these runs have stated of their parents is a fact for others from now on.
UPDATE parent_mentions AS stored
SET is_purged = true
FROM leaving_runs AS leaving, doubtful_parents AS doubtful
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND doubtful.run_uuid = leaving.uuid
  AND (stored.parent_run_uuid, stored.event_order) = (doubtful.parent_run_uuid, doubtful.event_order)

-- name: delete/runs/name_other_runs
-- Job versions whose last run is of a chunk name the last one that stays, if one does.
UPDATE job_versions AS stored
SET latest_run_uuid = (
    SELECT moment.run_uuid
    FROM event_ledger AS moment
    WHERE moment.job_version_uuid = stored.uuid
      AND moment.run_uuid IS NOT NULL
      AND NOT moment.is_purged
      AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = moment.run_uuid)
    ORDER BY is_ahead(moment.event_order), moment.event_order DESC
    LIMIT 1
)
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.latest_run_uuid = leaving.uuid

-- name: delete/runs/parent_mentions
-- What the runs of a chunk have stated of their parents and is not needed.
DELETE FROM parent_mentions AS stored
USING leaving_runs AS leaving, doubtful_parents AS doubtful
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND doubtful.run_uuid = leaving.uuid
  AND (stored.parent_run_uuid, stored.event_order) = (doubtful.parent_run_uuid, doubtful.event_order)
  AND NOT EXISTS (
      SELECT
      FROM needed_parents AS needed
      WHERE (needed.parent_run_uuid, needed.event_order) = (stored.parent_run_uuid, stored.event_order)
  )

-- name: delete/runs/unname_parents
-- Runs that stay as parents of others alone, and whose own parent is of a chunk, name none any more; their facets still do. So do
-- runs of later chunks, or they would go along with their parent.
UPDATE runs AS stored
SET parent_run_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.parent_run_uuid = leaving.uuid
  AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = stored.uuid AND other.number <= %(until)s)

-- name: delete/runs/unname_runs
-- Versions that the runs of a chunk have written name no run any more.
UPDATE dataset_versions AS stored
SET run_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.run_uuid = leaving.uuid

-- name: delete/schema_versions/dataset_schema_versions
-- The schema versions of a chunk.
DELETE FROM dataset_schema_versions AS stored
USING leaving_schema_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.uuid = leaving.uuid
  AND NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = leaving.uuid)

-- name: delete/schema_versions/schema_fields_to_move
-- The fields of the schema versions of a chunk that do not have them in their rows yet.
DELETE FROM schema_fields_to_move AS stored
USING leaving_schema_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.dataset_schema_version_uuid = leaving.uuid
  AND NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = leaving.uuid)

-- name: delete/versions/column_lineage_versions
-- Column lineage to and from the versions of a chunk.
DELETE FROM column_lineage_versions AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND (stored.output_dataset_version_uuid = leaving.uuid OR stored.input_dataset_version_uuid = leaving.uuid)

-- name: delete/versions/dataset_mentions
-- Mentions of the versions of a chunk: by dataset events, and by what is gone.
DELETE FROM dataset_mentions AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.version_uuid = leaving.uuid
  AND EXISTS (
      SELECT
      FROM leaving_mentions AS mention
      WHERE mention.event_order = stored.event_order
        AND (mention.dataset_uuid, mention.role, mention.place) = (stored.dataset_uuid, stored.role, stored.place)
  )

-- name: delete/versions/dataset_schema_verdicts
-- Verdicts on the schemas of the versions of a chunk.
DELETE FROM dataset_schema_verdicts AS stored
USING leaving_verdicts AS leaving
WHERE leaving.version_number > %(after)s AND leaving.version_number <= %(until)s
  AND (stored.dataset_uuid, stored.event_order) = (leaving.dataset_uuid, leaving.event_order)

-- name: delete/versions/dataset_version_timeline
-- When the versions of a chunk were current.
DELETE FROM dataset_version_timeline AS stored
USING leaving_rows AS leaving
WHERE leaving.version_number > %(after)s AND leaving.version_number <= %(until)s
  AND (stored.dataset_uuid, stored.event_order, stored.is_written)
      = (leaving.dataset_uuid, leaving.event_order, leaving.is_written)

-- name: delete/versions/event_ledger
-- Dataset events that have described the versions of a chunk.
DELETE FROM event_ledger AS stored
USING leaving_versions AS leaving, dataset_mentions AS mention
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND mention.version_uuid = leaving.uuid
  AND mention.run_uuid IS NULL
  AND stored.event_order = mention.event_order
  AND stored.job_uuid IS NULL

-- name: delete/versions/name_first_versions
-- Schema versions that the versions of a chunk had are as old as the first version that still has them, as in a merge (see
-- sql/derive/unreferenced.sql).
UPDATE dataset_schema_versions AS stored
SET created_at = first_version.created_at,
    dataset_uuid = first_version.dataset_uuid,
    field_uuids = changed_fields(stored.field_uuids, lost.field_uuids, ARRAY[]::uuid[])
FROM (
    SELECT DISTINCT schema_version_uuid AS uuid
    FROM leaving_versions AS leaving
    WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
) AS touched
CROSS JOIN LATERAL (
    SELECT created_at, dataset_uuid
    FROM dataset_versions
    WHERE dataset_schema_version_uuid = touched.uuid
    ORDER BY first_event NULLS FIRST, created_at
    LIMIT 1
) AS first_version
CROSS JOIN LATERAL foreign_fields(touched.uuid) AS lost (field_uuids)
WHERE stored.uuid = touched.uuid
  AND (
      (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (first_version.created_at, first_version.dataset_uuid)
      OR stored.field_uuids && lost.field_uuids
  )
