-- name: leaving/column_lineage
-- Column lineage that goes.

-- leaving_lineages: pairs of versions whose column lineage goes: with one of them, or with the run that has stated it.
CREATE TEMP TABLE leaving_lineages AS
SELECT
    stored.output_dataset_version_uuid,
    stored.input_dataset_version_uuid,
    row_number() OVER (ORDER BY stored.output_dataset_version_uuid, stored.input_dataset_version_uuid) AS number
FROM column_lineage_versions AS stored
WHERE stored.output_dataset_version_uuid IN (
    SELECT uuid FROM leaving_versions
    UNION
    SELECT mention.version_uuid
    FROM leaving_runs
    JOIN dataset_mentions AS mention ON mention.run_uuid = leaving_runs.uuid AND mention.role = output_role()
)
OR stored.input_dataset_version_uuid IN (SELECT uuid FROM leaving_versions);

-- name: leaving/contents
-- Other contents that nothing names once all else has gone.

-- leaving_facets: facets that no set names that stays, nor a run that keeps one.
CREATE TEMP TABLE leaving_facets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM (
    SELECT uuid FROM facets
    EXCEPT
    SELECT listed.uuid
    FROM facet_sets AS stored
    LEFT JOIN leaving_facet_sets AS leaving USING (uuid)
    CROSS JOIN LATERAL unnest(stored.facets) AS listed (uuid)
    WHERE leaving.uuid IS NULL
    EXCEPT
    SELECT kept.facet_uuid
    FROM run_facets_kept_once AS kept
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS leaving WHERE leaving.uuid = kept.run_uuid)
) AS unnamed
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents');

-- leaving_dataset_schemas: schemas that no mention describes.
CREATE TEMP TABLE leaving_dataset_schemas AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_schemas AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_mentions AS staying WHERE staying.schema_uuid = stored.uuid);

-- leaving_dataset_column_lineages: descriptions of columns that no mention gives, and no edge has.
CREATE TEMP TABLE leaving_dataset_column_lineages AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_column_lineages AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_mentions AS staying WHERE staying.lineage_uuid = stored.uuid)
  AND NOT EXISTS (
      SELECT
      FROM job_edges AS edge
      WHERE edge.lineage_uuid = stored.uuid
        AND NOT EXISTS (
            SELECT
            FROM leaving_edges AS leaving
            WHERE (leaving.job_uuid, leaving.role, leaving.name_uuid, leaving.lineage_uuid, leaving.since_event)
                = (edge.job_uuid, edge.role, edge.name_uuid, edge.lineage_uuid, edge.since_event)
        )
  );

-- staying_lists: lists of pairs that hold between versions.
CREATE TEMP TABLE staying_lists AS
SELECT DISTINCT stored.pairs_uuid AS uuid
FROM column_lineage_versions AS stored
LEFT JOIN leaving_lineages AS leaving USING (output_dataset_version_uuid, input_dataset_version_uuid)
WHERE leaving.number IS NULL;

ANALYZE staying_lists;

-- leaving_column_lineage_lists: lists of pairs that hold between no versions.
CREATE TEMP TABLE leaving_column_lineage_lists AS
SELECT pairs_uuid AS uuid, row_number() OVER (ORDER BY pairs_uuid) AS number
FROM column_lineage_lists AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_lists AS staying WHERE staying.uuid = stored.pairs_uuid);

-- leaving_column_pairs_to_move: those of them whose pairs an earlier release has kept one by one.
CREATE TEMP TABLE leaving_column_pairs_to_move AS
SELECT pairs_uuid AS uuid, row_number() OVER (ORDER BY pairs_uuid) AS number
FROM (SELECT DISTINCT pairs_uuid FROM column_pairs_to_move) AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_lists AS staying WHERE staying.uuid = stored.pairs_uuid);

-- leaving_pairs_to_move: their pairs.
CREATE TEMP VIEW leaving_pairs_to_move AS
SELECT waiting.pairs_uuid, waiting.output_dataset_field_uuid, waiting.input_dataset_field_uuid
FROM column_pairs_to_move AS waiting
JOIN leaving_column_pairs_to_move AS leaving ON leaving.uuid = waiting.pairs_uuid;

-- leaving_run_args: arguments that no run has.
CREATE TEMP TABLE leaving_run_args AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM run_args AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND stored.checksum <> encode(sha256(''), 'hex')
  AND NOT EXISTS (
      SELECT
      FROM runs AS run
      WHERE run.run_args_uuid = stored.uuid AND NOT EXISTS (SELECT FROM leaving_runs AS leaving WHERE leaving.uuid = run.uuid)
  );

-- name: leaving/edges
-- Moments and edges of jobs that no answer about what is kept needs.

-- leaving_moments: moments of jobs that go, and those before the cutoff whose run or job event goes or has gone, but for the last
-- one before it of each job.
CREATE TEMP TABLE leaving_moments AS
SELECT moment.job_uuid, moment.event_order, row_number() OVER (ORDER BY moment.job_uuid, moment.event_order) AS number
FROM job_version_timeline AS moment
JOIN jobs AS job ON job.uuid = moment.job_uuid
LEFT JOIN leaving_jobs AS leaving ON leaving.uuid = job.uuid
LEFT JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
LEFT JOIN event_ledger AS event ON event.event_order = moment.event_order AND NOT event.is_purged
LEFT JOIN leaving_runs AS run ON run.uuid = moment.run_uuid
LEFT JOIN old_job_events AS old ON old.event_order = moment.event_order
WHERE leaving.uuid IS NOT NULL
   OR (
       (event.event_order IS NULL OR run.uuid IS NOT NULL OR old.event_order IS NOT NULL)
       AND EXISTS (
           SELECT
           FROM job_version_timeline AS later
           WHERE later.job_uuid = moment.job_uuid
             AND later.event_order > moment.event_order
             AND later.event_order < first_order_at(cutoff.before)
       )
   );

-- leaving_edges: edges of jobs that go, and those that ended before the cutoff and that no hold on the job or the dataset keeps.
CREATE TEMP TABLE leaving_edges AS
SELECT
    edge.job_uuid,
    edge.role,
    edge.name_uuid,
    edge.lineage_uuid,
    edge.since_event,
    row_number() OVER (ORDER BY edge.job_uuid, edge.role, edge.name_uuid, edge.lineage_uuid, edge.since_event) AS number
FROM job_edges AS edge
JOIN jobs AS job ON job.uuid = edge.job_uuid
LEFT JOIN leaving_jobs AS leaving ON leaving.uuid = job.uuid
LEFT JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = edge.name_uuid
WHERE leaving.uuid IS NOT NULL
   OR (
       edge.until_event < first_order_at(cutoff.before)
       AND NOT EXISTS (SELECT FROM jobs_held AS held WHERE held.uuid = edge.job_uuid)
       AND NOT EXISTS (SELECT FROM datasets_held AS held WHERE held.uuid = coalesce(known.uuid, edge.name_uuid))
   );

CREATE INDEX ON leaving_edges (job_uuid);
ANALYZE leaving_edges;

-- name: leaving/entities
-- Jobs and datasets that go, when it is settled which stay.

-- leaving_jobs: the jobs that go.
CREATE TEMP TABLE leaving_jobs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_jobs WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_jobs (uuid);
ANALYZE leaving_jobs;

-- leaving_datasets: the datasets that go.
CREATE TEMP TABLE leaving_datasets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_datasets WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_datasets (uuid);
ANALYZE leaving_datasets;

-- naming_jobs: those of these jobs that still name something.
CREATE TEMP TABLE naming_jobs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM leaving_jobs
JOIN jobs AS job USING (uuid)
WHERE num_nonnulls(job.current_version_uuid, job.current_run_uuid, job.parent_job_uuid, job.symlink_target_uuid) > 0;

-- naming_datasets: those of these datasets that do.
CREATE TEMP TABLE naming_datasets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM leaving_datasets
JOIN datasets AS dataset USING (uuid)
WHERE dataset.current_version_uuid IS NOT NULL;

-- leaving_dataset_names: all names of these datasets.
CREATE TEMP TABLE leaving_dataset_names AS
SELECT name.uuid, leaving.number AS dataset_number
FROM dataset_names AS name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
JOIN leaving_datasets AS leaving ON leaving.uuid = coalesce(known.uuid, name.uuid);

CREATE INDEX ON leaving_dataset_names (dataset_number);

-- leaving_dataset_endings: when these datasets were dropped or renamed.
CREATE TEMP VIEW leaving_dataset_endings AS
SELECT ending.name_uuid, ending.event_order
FROM dataset_endings AS ending
JOIN leaving_dataset_names AS name ON name.uuid = ending.name_uuid;

-- leaving_field_tags: the tags of the columns of these datasets.
CREATE TEMP VIEW leaving_field_tags AS
SELECT tagged.dataset_field_uuid, tagged.tag_uuid
FROM dataset_fields_tag_mapping AS tagged
JOIN dataset_fields AS field ON field.uuid = tagged.dataset_field_uuid
JOIN leaving_datasets AS leaving ON leaving.uuid = field.dataset_uuid;

-- name: leaving/facet_sets
-- Sets of facets that nothing names once all else has gone. An event or a mention of a run that goes names none: what is left of it are
-- facts.

-- staying_mentions: what the mentions that stay name.
CREATE TEMP TABLE staying_mentions AS
SELECT DISTINCT
    mention.schema_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.facets_uuid END AS facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.io_facets_uuid END AS io_facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.lineage_uuid END AS lineage_uuid
FROM dataset_mentions AS mention
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = mention.run_uuid
LEFT JOIN old_job_events AS event ON event.event_order = mention.event_order AND mention.run_uuid IS NULL
LEFT JOIN leaving_mentions AS going
    ON (going.dataset_uuid, going.role, going.event_order, going.place)
        = (mention.dataset_uuid, mention.role, mention.event_order, mention.place)
WHERE going.number IS NULL;

ANALYZE staying_mentions;

-- staying_sets: the sets of facets that something names that stays.
CREATE TEMP TABLE staying_sets AS
SELECT named.uuid
FROM event_ledger AS ledger
CROSS JOIN LATERAL (VALUES (ledger.run_facets_uuid), (ledger.job_facets_uuid)) AS named (uuid)
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = ledger.run_uuid
LEFT JOIN leaving_events AS going ON going.event_order = ledger.event_order
LEFT JOIN old_job_events AS old ON old.event_order = ledger.event_order
WHERE named.uuid IS NOT NULL AND leaving.uuid IS NULL AND going.number IS NULL AND old.number IS NULL
UNION
SELECT named.uuid
FROM staying_mentions AS mention
CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS named (uuid)
WHERE named.uuid IS NOT NULL;

ANALYZE staying_sets;

-- leaving_facet_sets: sets of facets that nothing names.
CREATE TEMP TABLE leaving_facet_sets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM facet_sets AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_sets AS staying WHERE staying.uuid = stored.uuid);

CREATE UNIQUE INDEX ON leaving_facet_sets (uuid);
ANALYZE leaving_facet_sets;

-- name: leaving/fields
-- Columns that nothing names once all else has gone.

-- staying_fields: the columns that a description names that stays, a schema version, column lineage, or a person. Those of a dataset
-- that goes, go with it.
CREATE TEMP TABLE staying_fields AS
SELECT coalesce(known.uuid, field.uuid) AS uuid
FROM dataset_schemas AS stored
LEFT JOIN leaving_dataset_schemas AS leaving USING (uuid)
CROSS JOIN LATERAL schema_keys(stored.field_keys, stored.keyed_fields) AS field
LEFT JOIN identity_map AS known ON known.entity = 'dataset_fields' AND known.key_uuid = field.uuid
WHERE leaving.uuid IS NULL
UNION
SELECT mapping.dataset_field_uuid
FROM dataset_schema_versions_field_mapping AS mapping
LEFT JOIN leaving_schema_versions AS leaving ON leaving.uuid = mapping.dataset_schema_version_uuid
WHERE leaving.uuid IS NULL
UNION
SELECT named.uuid
FROM column_lineage_lists AS stored
LEFT JOIN leaving_column_lineage_lists AS leaving ON leaving.uuid = stored.pairs_uuid
CROSS JOIN LATERAL unnest(stored.output_field_uuids || stored.input_field_uuids) AS named (uuid)
WHERE leaving.uuid IS NULL
UNION
SELECT named.uuid
FROM column_pairs_to_move AS stored
LEFT JOIN leaving_column_pairs_to_move AS leaving ON leaving.uuid = stored.pairs_uuid
CROSS JOIN LATERAL (VALUES (stored.output_dataset_field_uuid), (stored.input_dataset_field_uuid)) AS named (uuid)
WHERE leaving.uuid IS NULL
UNION
SELECT dataset_field_uuid FROM dataset_fields_tag_mapping WHERE NOT is_reported
UNION
SELECT field.uuid
FROM dataset_fields AS field
JOIN (SELECT uuid FROM datasets_held UNION SELECT uuid FROM leaving_datasets) AS dataset ON dataset.uuid = field.dataset_uuid;

-- The old mapping is a view of the new one, unless the store was made with it.
DO $$
BEGIN
    IF (SELECT relkind = 'r' FROM pg_class WHERE oid = 'public.dataset_versions_field_mapping'::regclass) THEN
        INSERT INTO staying_fields
        SELECT mapping.dataset_field_uuid
        FROM dataset_versions_field_mapping AS mapping
        LEFT JOIN leaving_versions AS leaving ON leaving.uuid = mapping.dataset_version_uuid
        WHERE leaving.uuid IS NULL;
    END IF;
END
$$;

-- leaving_dataset_fields: columns that an event has described, and that nothing names any more.
CREATE TEMP TABLE leaving_dataset_fields AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM dataset_fields AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND stored.first_event IS NOT NULL
  AND NOT EXISTS (SELECT FROM staying_fields AS staying WHERE staying.uuid = stored.uuid);

-- name: leaving/job_events
-- old_job_events: job events from before the cutoff, but for those that stay whole.
CREATE TEMP TABLE old_job_events AS
SELECT ledger.event_order, row_number() OVER (ORDER BY ledger.event_order) AS number
FROM event_ledger AS ledger
JOIN jobs AS job ON job.uuid = ledger.job_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'runs' AND cutoff.namespace = job.namespace_name
WHERE ledger.run_uuid IS NULL
  AND NOT ledger.is_purged
  AND ledger.event_time < cutoff.before
  AND (NOT cutoff.is_emptied OR job.uuid IN (SELECT uuid FROM leaving_jobs))
  AND NOT EXISTS (SELECT FROM staying_moments AS other WHERE other.event_order = ledger.event_order)
  AND NOT EXISTS (SELECT FROM mentions_held AS held WHERE held.event_order = ledger.event_order)
  AND NOT EXISTS (
      SELECT
      FROM jobs_held AS held
      WHERE held.uuid = job.uuid
        AND (held.events_since IS NULL OR held.events_since <= ledger.event_time)
        AND (held.events_until IS NULL OR held.events_until > ledger.event_time)
  );

CREATE UNIQUE INDEX ON old_job_events (event_order);
ANALYZE old_job_events;

-- name: leaving/job_versions
-- Job versions that go, and the moments that those which stay follow from.

-- leaving_job_versions: the job versions that go.
CREATE TEMP TABLE leaving_job_versions AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_job_versions WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_job_versions (uuid);
ANALYZE leaving_job_versions;

-- staying_moments: the last moment of each job version that stays. A job event that is one stays whole, with its facets.
CREATE TEMP TABLE staying_moments AS
SELECT DISTINCT event_order
FROM last_moments
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = last_moments.job_version_uuid);

-- needed_moments: the first and the last moment of each job version that stays, and the first of the current one since it is that.
CREATE TEMP TABLE needed_moments AS
SELECT event_order FROM staying_moments
UNION
SELECT event_order
FROM (
    SELECT DISTINCT ON (job_uuid, job_version_uuid) job_version_uuid, event_order
    FROM event_ledger
    WHERE job_version_uuid IS NOT NULL
    ORDER BY job_uuid, job_version_uuid, event_order
) AS first_moments
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = first_moments.job_version_uuid)
UNION
SELECT since.event_order
FROM current_versions AS current
CROSS JOIN LATERAL (
    SELECT event_order
    FROM event_ledger
    WHERE job_uuid = current.job_uuid
      AND job_version_uuid = current.job_version_uuid
      AND event_order > current.event_before
    ORDER BY event_order
    LIMIT 1
) AS since
WHERE NOT EXISTS (SELECT FROM leaving_job_versions AS other WHERE other.uuid = current.job_version_uuid);

CREATE UNIQUE INDEX ON needed_moments (event_order);
ANALYZE needed_moments;

-- name: leaving/mentions
-- Events and mentions that go, and mentions that stay because a version that stays follows from them.

-- doubtful_mentions: mentions that were purged, and those of runs and of job events that go.
CREATE TEMP TABLE doubtful_mentions AS
SELECT dataset_uuid, role, event_order, place, version_uuid, schema_uuid
FROM dataset_mentions
WHERE is_purged
UNION ALL
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place, mention.version_uuid, mention.schema_uuid
FROM leaving_runs
JOIN dataset_mentions AS mention ON mention.run_uuid = leaving_runs.uuid
WHERE NOT mention.is_purged
UNION ALL
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place, mention.version_uuid, mention.schema_uuid
FROM old_job_events
JOIN dataset_mentions AS mention USING (event_order)
WHERE mention.run_uuid IS NULL AND NOT mention.is_purged;

ANALYZE doubtful_mentions;

-- needed_mentions: of these, those that make a version that stays, or are the first that describes it by a schema.
CREATE TEMP TABLE needed_mentions AS
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
FROM doubtful_mentions AS mention
JOIN dataset_versions AS version ON version.uuid = mention.version_uuid
WHERE version.first_event = mention.event_order || int4send(mention.place)
  AND NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = version.uuid)
UNION
SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
FROM doubtful_mentions AS mention
JOIN (
    SELECT DISTINCT ON (stated.version_uuid, stated.schema_uuid)
        stated.version_uuid, stated.schema_uuid, stated.event_order, stated.place
    FROM (
        SELECT DISTINCT version_uuid, schema_uuid
        FROM doubtful_mentions AS doubtful
        WHERE NOT EXISTS (SELECT FROM leaving_versions AS other WHERE other.uuid = doubtful.version_uuid)
    ) AS asked
    JOIN dataset_mentions AS stated USING (version_uuid, schema_uuid)
    ORDER BY stated.version_uuid, stated.schema_uuid, stated.event_order, stated.place
) AS first_report USING (version_uuid, schema_uuid, event_order, place)
JOIN dataset_versions AS version ON version.uuid = mention.version_uuid;

CREATE INDEX ON needed_mentions (event_order);
ANALYZE needed_mentions;

-- leaving_events: rows of the ledger that go: of these runs and of purged ones all that no version of a job needs, of jobs alike,
-- and of datasets those whose version goes.
CREATE TEMP TABLE leaving_events AS
SELECT event_order, row_number() OVER (ORDER BY event_order) AS number
FROM (
    SELECT ledger.event_order
    FROM leaving_runs
    JOIN event_ledger AS ledger ON ledger.run_uuid = leaving_runs.uuid
    WHERE NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = ledger.event_order)
    UNION
    SELECT event_order
    FROM event_ledger AS ledger
    WHERE is_purged AND NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = ledger.event_order)
    UNION
    SELECT event_order
    FROM old_job_events AS old
    WHERE NOT EXISTS (SELECT FROM needed_moments AS other WHERE other.event_order = old.event_order)
    UNION
    SELECT mention.event_order
    FROM leaving_versions
    JOIN dataset_mentions AS mention ON mention.version_uuid = leaving_versions.uuid
    JOIN event_ledger AS ledger USING (event_order)
    WHERE ledger.run_uuid IS NULL AND ledger.job_uuid IS NULL
) AS found;

CREATE UNIQUE INDEX ON leaving_events (event_order);
ANALYZE leaving_events;

-- leaving_mentions: mentions that go: of the doubtful ones those that nothing needs, and those by dataset events that go.
CREATE TEMP TABLE leaving_mentions AS
SELECT dataset_uuid, role, event_order, place, row_number() OVER (ORDER BY event_order, place) AS number
FROM (
    SELECT dataset_uuid, role, event_order, place
    FROM doubtful_mentions
    EXCEPT
    SELECT dataset_uuid, role, event_order, place FROM needed_mentions
    UNION
    SELECT mention.dataset_uuid, mention.role, mention.event_order, mention.place
    FROM leaving_versions
    JOIN dataset_mentions AS mention ON mention.version_uuid = leaving_versions.uuid
    JOIN leaving_events USING (event_order)
    WHERE mention.run_uuid IS NULL
) AS found;

CREATE INDEX ON leaving_mentions (event_order);
ANALYZE leaving_mentions;

-- name: leaving/old_versions
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

-- name: leaving/parent_mentions
-- Mentions of parents that go.

-- doubtful_parents: what purged runs, and runs that go, have stated of their parents.
CREATE TEMP TABLE doubtful_parents AS
SELECT mention.parent_run_uuid, mention.event_order, mention.run_uuid
FROM parent_mentions AS mention
LEFT JOIN leaving_runs ON leaving_runs.uuid = mention.run_uuid
WHERE mention.is_purged OR leaving_runs.uuid IS NOT NULL;

CREATE INDEX ON doubtful_parents (run_uuid);
ANALYZE doubtful_parents;

-- needed_parents: the first event that names a run that stays, and the first and the last that say the same of a made run or job.
CREATE TEMP TABLE needed_parents AS
WITH staying AS (
    SELECT mention.*
    FROM (SELECT DISTINCT parent_run_uuid FROM doubtful_parents) AS doubtful
    JOIN parent_mentions AS mention USING (parent_run_uuid)
    JOIN runs AS run ON run.uuid = mention.parent_run_uuid
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = run.uuid)
),
stated AS (
    SELECT mention.*
    FROM parent_mentions AS mention
    JOIN runs AS run ON run.uuid = mention.made_run_uuid
    WHERE NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = run.uuid)
),
job_reports AS (
    SELECT mention.*
    FROM parent_mentions AS mention
    JOIN jobs AS job ON job.uuid = mention.local_job_uuid
    WHERE job.latest_event IS NULL
      AND mention.made_run_uuid IS NOT NULL
      AND NOT EXISTS (SELECT FROM leaving_jobs AS other WHERE other.uuid = job.uuid)
)
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (parent_run_uuid) parent_run_uuid, event_order FROM staying ORDER BY parent_run_uuid, event_order
) AS first_named
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (made_run_uuid, says) parent_run_uuid, event_order FROM stated ORDER BY made_run_uuid, says, event_order
) AS first_report
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (made_run_uuid, says) parent_run_uuid, event_order
    FROM stated
    ORDER BY made_run_uuid, says, event_order DESC
) AS last_report
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (local_job_uuid) parent_run_uuid, event_order FROM job_reports ORDER BY local_job_uuid, event_order
) AS first_of_job
UNION
SELECT parent_run_uuid, event_order
FROM (
    SELECT DISTINCT ON (local_job_uuid, is_ahead(event_order)) parent_run_uuid, event_order
    FROM job_reports
    ORDER BY local_job_uuid, is_ahead(event_order), event_order DESC
) AS last_of_job;

CREATE INDEX ON needed_parents (parent_run_uuid, event_order);

-- leaving_parents: mentions of parents that go.
CREATE TEMP TABLE leaving_parents AS
SELECT parent_run_uuid, event_order, row_number() OVER (ORDER BY parent_run_uuid, event_order) AS number
FROM (
    SELECT parent_run_uuid, event_order FROM doubtful_parents
    EXCEPT
    SELECT parent_run_uuid, event_order FROM needed_parents
) AS found;

-- name: leaving/purged_runs
-- Runs that were deleted, and need not be remembered any more.

-- leaving_purged_runs: those that went before the oldest cutoff of runs.
CREATE TEMP TABLE leaving_purged_runs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM retention_purged_runs
WHERE purged_at < (SELECT min(before) FROM cutoffs WHERE kind = 'runs' AND NOT is_emptied);

-- name: leaving/quarantine
-- Refused documents that go.

-- leaving_quarantine: refused documents that are older than their cutoff.
CREATE TEMP TABLE leaving_quarantine AS
SELECT quarantine.id, row_number() OVER (ORDER BY quarantine.id) AS number
FROM quarantine
JOIN cutoffs AS cutoff ON cutoff.kind = 'quarantine'
WHERE quarantine.received_at < cutoff.before;

-- name: leaving/runs
-- The runs that go, when it is settled which stay.

-- leaving_runs: the runs that go, children before their parents.
CREATE TEMP TABLE leaving_runs AS
WITH RECURSIVE below AS (
    SELECT run.uuid, 0 AS depth
    FROM old_runs AS old
    JOIN runs AS run USING (uuid)
    WHERE old.stays IS NULL
    UNION ALL
    SELECT run.parent_run_uuid, below.depth + 1
    FROM below
    JOIN runs AS run USING (uuid)
    WHERE run.parent_run_uuid IN (SELECT uuid FROM old_runs WHERE stays IS NULL) AND run.parent_run_uuid <> run.uuid
      AND below.depth < 100
)
SELECT uuid, row_number() OVER (ORDER BY max(depth), uuid) AS number
FROM below
GROUP BY uuid;

CREATE UNIQUE INDEX ON leaving_runs (uuid);
ANALYZE leaving_runs;

-- name: leaving/versions
-- Dataset versions that go, with their places in the timeline and their schema versions.

-- leaving_versions: the dataset versions that go.
CREATE TEMP TABLE leaving_versions AS
SELECT uuid, version.dataset_schema_version_uuid AS schema_version_uuid, row_number() OVER (ORDER BY uuid) AS number
FROM old_versions
JOIN dataset_versions AS version USING (uuid)
WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_versions (uuid);
ANALYZE leaving_versions;

-- leaving_rows: the rows of the timeline of these versions.
CREATE TEMP TABLE leaving_rows AS
SELECT row.dataset_uuid, row.event_order, row.is_written, leaving_versions.number AS version_number
FROM leaving_versions
JOIN dataset_version_timeline AS row ON row.version_uuid = leaving_versions.uuid;

CREATE INDEX ON leaving_rows (version_number);
ANALYZE leaving_rows;

-- leaving_schema_versions: schema versions of which no version is left.
CREATE TEMP TABLE leaving_schema_versions AS
SELECT stored.uuid, row_number() OVER (ORDER BY stored.uuid) AS number
FROM dataset_schema_versions AS stored
JOIN datasets AS dataset ON dataset.uuid = stored.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
WHERE NOT EXISTS (
    SELECT
    FROM dataset_versions AS version
    LEFT JOIN leaving_versions AS leaving USING (uuid)
    WHERE version.dataset_schema_version_uuid = stored.uuid AND leaving.uuid IS NULL
);

-- leaving_schema_fields: their fields that are not in their rows yet.
CREATE TEMP VIEW leaving_schema_fields AS
SELECT waiting.dataset_schema_version_uuid, waiting.dataset_field_uuid
FROM schema_fields_to_move AS waiting
JOIN leaving_schema_versions AS leaving ON leaving.uuid = waiting.dataset_schema_version_uuid;

-- leaving_verdicts: the verdicts on the schemas of these versions.
CREATE TEMP TABLE leaving_verdicts AS
SELECT row.dataset_uuid, row.event_order, row.version_number
FROM leaving_rows AS row
JOIN dataset_schema_verdicts AS verdict USING (dataset_uuid, event_order)
WHERE row.is_written;

CREATE INDEX ON leaving_verdicts (version_number);
ANALYZE leaving_verdicts;

-- leaving_schema_histories: what only these were judged by, and what an application that was killed has left of others. What the next
-- verdict was judged by stays, with all that was deleted.
CREATE TEMP TABLE leaving_schema_histories AS
SELECT stored.uuid, row_number() OVER (ORDER BY stored.uuid) AS number
FROM dataset_schema_histories AS stored
JOIN datasets AS dataset ON dataset.uuid = stored.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
WHERE NOT EXISTS (
    SELECT
    FROM dataset_schema_verdicts AS verdict
    LEFT JOIN leaving_verdicts AS leaving USING (dataset_uuid, event_order)
    WHERE verdict.history_uuid = stored.uuid AND leaving.version_number IS NULL
);
