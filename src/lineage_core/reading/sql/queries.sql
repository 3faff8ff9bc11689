-- name: settings
-- Reading looks up a few keys beside what is stored, whatever old statistics say.
SET LOCAL enable_seqscan = off;
SET LOCAL jit = off;

-- name: facet
-- The content of one facet.
SELECT convert_to(facet::text, 'UTF8') FROM facets WHERE uuid = %(uuid)s

-- name: waiting_with_plan_of_run
-- The events of a run that are not normalized and may have a facet which is kept once a run: the first event first.
SELECT
    arrived_xid AS xid,
    arrival_seq AS seq,
    is_ahead,
    microseconds(event_time) AS time,
    lifecycle_rank(lineage_event_type) AS rank,
    NULL AS text
FROM (
    SELECT DISTINCT ON (identity) *
    FROM waiting_events
    WHERE run_uuid = %(uuid)s AND kind = 'RUN_EVENT' AND event #> ARRAY['run', 'facets', %(name)s] IS NOT NULL
    ORDER BY identity, is_ahead
) AS waiting
ORDER BY is_ahead, identity

-- name: plan_of_run
-- Order of the event that a facet which is kept once a run came from.
SELECT first_event FROM run_facets_kept_once WHERE run_uuid = %(uuid)s AND name = %(name)s

-- name: text_of_event
-- The text of one raw event.
SELECT convert_to(event::text, 'UTF8')
FROM lineage_events
WHERE (arrived_xid, arrival_seq) = (%(xid)s, %(seq)s)

-- name: mention
-- What the tables know of one mention of a dataset that is not normalized: the dataset, the version that the mention makes if
-- it makes one, and of an input the version that was current before.
SELECT
    dataset.uuid AS dataset,
    version.uuid AS own_version,
    CASE WHEN %(role)s = input_role() THEN version_before(dataset.uuid, %(event_order)s) END AS before
FROM (
    SELECT coalesce(
        (SELECT uuid FROM identity_map WHERE entity = 'datasets' AND key_uuid = %(name_uuid)s), %(name_uuid)s
    )
) AS dataset (uuid)
CROSS JOIN (
    SELECT coalesce(
        (SELECT uuid FROM identity_map WHERE entity = 'dataset_versions' AND key_uuid = %(own_version_uuid)s),
        %(own_version_uuid)s
    )
) AS version (uuid)

-- name: dataset_of_version
-- The dataset of a dataset version.
SELECT dataset_uuid FROM dataset_versions WHERE uuid = %(uuid)s

-- name: schemas_of_dataset
-- The fields of the versions of a dataset that were written or declared, in the order in which they became current. A version that
-- a reader made is none of them: what readers say is no change of the dataset.
SELECT dataset_versions.fields::text
FROM dataset_version_timeline AS timeline
JOIN dataset_versions ON dataset_versions.uuid = timeline.version_uuid
WHERE timeline.dataset_uuid = %(dataset)s AND timeline.is_written
ORDER BY timeline.event_order

-- name: schema_verdicts
-- The verdicts on the schemas of a dataset, of the version that became current last first: `most` of them, or all where it is null. They
-- are numbered from the first on, those whose schema is not known left out.
SELECT number, version, current_from, event_order, verdict, changes, refusals, fencing
FROM (
    SELECT
        version_uuid AS version, current_from, event_order, verdict, changes, refusals, fencing,
        CASE WHEN verdict <> 'unknown' THEN count(*) FILTER (WHERE verdict <> 'unknown') OVER (ORDER BY event_order) END AS number
    FROM dataset_schema_verdicts
    WHERE dataset_uuid = %(dataset)s
) AS numbered
WHERE verdict <> 'unchanged' OR NOT %(only_changes)s
ORDER BY event_order DESC
LIMIT %(most)s

-- name: unchanged_schemas
-- How many versions of a dataset left its schema as it was, and when the last of them became current.
SELECT count(*)::int AS versions, max(current_from) AS last_from
FROM dataset_schema_verdicts
WHERE dataset_uuid = %(dataset)s AND verdict = 'unchanged'

-- name: last_schema
-- The fields of the version of a dataset that became current last, and by what they were judged. As for the current version, an event
-- that lay ahead of its receipt counts only where there is no other.
SELECT version.fields::text, known.history
FROM (
    (
        SELECT event_order, version_uuid, history_uuid
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = %(dataset)s AND NOT is_ahead(event_order)
        ORDER BY event_order DESC
        LIMIT 1
    )
    UNION ALL
    (
        SELECT event_order, version_uuid, history_uuid
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = %(dataset)s AND is_ahead(event_order)
        ORDER BY event_order DESC
        LIMIT 1
    )
    ORDER BY event_order
    LIMIT 1
) AS last
JOIN dataset_versions AS version ON version.uuid = last.version_uuid
LEFT JOIN dataset_schema_histories AS known ON known.uuid = last.history_uuid

-- name: readers_of_columns
-- The columns of a dataset that jobs read, and where the versions that they have read were made current last: of several, the one that
-- was first, as a job fences what comes behind it. What a job reads is known by the column lineage of what it wrote in its last run,
-- or of what is current of a dataset that a run still writes. Of a job that gives none for this dataset the column is NULL: it may
-- read any. A column is a path. column_lineage has no rows of columns within columns; they are found in what the runs have stated, by
-- the column that such a name begins with.
WITH readers AS (
    SELECT DISTINCT reading.job_uuid, version.latest_run_uuid AS run_uuid
    FROM job_versions_io_mapping AS reading
    JOIN job_versions AS version ON version.uuid = reading.job_version_uuid
    WHERE reading.dataset_uuid = %(dataset)s AND reading.io_type = 'INPUT' AND reading.is_current_job_version
),
last_written AS (
    SELECT readers.job_uuid, version.uuid AS version_uuid
    FROM readers
    JOIN dataset_versions AS version USING (run_uuid)
),
made_of_it AS (
    SELECT output_dataset_uuid AS dataset_uuid FROM column_lineage_lists WHERE input_dataset_uuid = %(dataset)s
    UNION
    SELECT made.dataset_uuid
    FROM dataset_fields AS field
    JOIN column_pairs_to_move AS waiting ON waiting.input_dataset_field_uuid = field.uuid
    JOIN dataset_fields AS made ON made.uuid = waiting.output_dataset_field_uuid
    WHERE field.dataset_uuid = %(dataset)s
),
current AS (
    SELECT runs.job_uuid, version.uuid AS version_uuid
    FROM made_of_it
    JOIN datasets ON datasets.uuid = made_of_it.dataset_uuid
    JOIN dataset_versions AS version ON version.uuid = datasets.current_version_uuid
    JOIN runs ON runs.uuid = version.run_uuid
),
-- From the few versions that were written, and not from all that were read: thousands of jobs may have read the dataset each day.
lineage AS MATERIALIZED (
    SELECT written.job_uuid, written.version_uuid, made.pairs_uuid, made.input_dataset_version_uuid
    FROM (SELECT job_uuid, version_uuid FROM last_written UNION SELECT job_uuid, version_uuid FROM current) AS written
    CROSS JOIN LATERAL (
        SELECT pairs_uuid, input_dataset_version_uuid
        FROM column_lineage_versions
        WHERE output_dataset_version_uuid = written.version_uuid
        OFFSET 0
    ) AS made
    WHERE (SELECT dataset_uuid FROM dataset_versions WHERE uuid = made.input_dataset_version_uuid) = %(dataset)s
),
-- Once for each run: that of a streaming job states them in each of its events, and may have read very many versions.
stated AS MATERIALIZED (
    SELECT DISTINCT
        described.job_uuid,
        described.run_uuid,
        ARRAY[around.name::text] || string_to_array(nullif(substr(pair.field, length(around.name) + 2), ''), '.') AS column
    FROM (
        SELECT DISTINCT written.job_uuid, mention.run_uuid, mention.lineage_uuid
        FROM (SELECT job_uuid, version_uuid FROM last_written UNION SELECT job_uuid, version_uuid FROM lineage) AS written
        CROSS JOIN LATERAL (
            SELECT DISTINCT mention.run_uuid, mention.lineage_uuid
            FROM dataset_versions AS output
            JOIN dataset_mentions AS mention
                ON mention.run_uuid = output.run_uuid
               AND mention.version_uuid = output.uuid
               AND mention.role = output_role()
               AND mention.lineage_uuid IS NOT NULL
            WHERE output.uuid = written.version_uuid
        ) AS mention
    ) AS described
    JOIN dataset_column_lineages AS listed ON listed.uuid = described.lineage_uuid
    CROSS JOIN LATERAL jsonb_to_recordset(listed.pairs) AS pair (dataset uuid, field text)
    LEFT JOIN identity_map AS known_input ON known_input.entity = 'datasets' AND known_input.key_uuid = pair.dataset
    CROSS JOIN LATERAL (
        SELECT name
        FROM dataset_fields
        WHERE dataset_uuid = %(dataset)s AND (name = pair.field OR pair.field ^@ (name || '.'))
        ORDER BY length(name) DESC
        LIMIT 1
    ) AS around
    WHERE coalesce(known_input.uuid, pair.dataset) = %(dataset)s
),
known AS (
    SELECT DISTINCT lineage.job_uuid, ARRAY[field.name::text] AS column, lineage.input_dataset_version_uuid AS version_uuid
    FROM lineage
    CROSS JOIN LATERAL (
        SELECT input_dataset_field_uuid AS uuid FROM column_lineage_pairs WHERE pairs_uuid = lineage.pairs_uuid OFFSET 0
    ) AS pair
    JOIN dataset_fields AS field USING (uuid)
    WHERE field.dataset_uuid = %(dataset)s
    UNION
    SELECT stated.job_uuid, stated.column, input.version_uuid
    FROM stated
    CROSS JOIN LATERAL (
        SELECT dataset_version_uuid AS version_uuid FROM runs_input_mapping WHERE run_uuid = stated.run_uuid OFFSET 0
    ) AS input
    WHERE (SELECT dataset_uuid FROM dataset_versions WHERE uuid = input.version_uuid) = %(dataset)s
),
reads AS (
    SELECT job_uuid, known.column, version_uuid FROM known
    UNION ALL
    SELECT readers.job_uuid, NULL, input.version_uuid
    FROM readers
    CROSS JOIN LATERAL (
        SELECT dataset_version_uuid AS version_uuid FROM runs_input_mapping WHERE run_uuid = readers.run_uuid OFFSET 0
    ) AS input
    WHERE (SELECT dataset_uuid FROM dataset_versions WHERE uuid = input.version_uuid) = %(dataset)s
      AND readers.job_uuid NOT IN (SELECT known.job_uuid FROM known)
)
SELECT DISTINCT ON (1, reads.column::text COLLATE "C")
    (jobs.namespace_name || '/' || jobs.name) COLLATE "C" AS job, reads.column, last.event_order AS last_current
FROM reads
JOIN jobs ON jobs.uuid = reads.job_uuid
LEFT JOIN LATERAL (
    SELECT event_order
    FROM dataset_schema_verdicts
    WHERE version_uuid = reads.version_uuid AND dataset_uuid = %(dataset)s
    ORDER BY event_order DESC
    LIMIT 1
) AS last ON true
ORDER BY 1, reads.column::text COLLATE "C", last.event_order NULLS FIRST

-- name: dataset_named
-- The dataset that a name belongs to, its own or a symlink's, in a namespace as spelled or as formatted.
SELECT dataset_symlinks.dataset_uuid
FROM dataset_symlinks
JOIN namespaces ON namespaces.uuid = dataset_symlinks.namespace_uuid
WHERE namespaces.name IN (%(spelled)s, %(formatted)s) AND dataset_symlinks.name = %(name)s
ORDER BY namespaces.name <> %(spelled)s
LIMIT 1

-- name: is_namespace
-- Whether there is a namespace, as spelled or as formatted.
SELECT EXISTS (SELECT FROM public.namespaces WHERE name IN (%(spelled)s, %(formatted)s))

-- name: near_namespaces
-- Names of namespaces, to name the nearest of them.
SELECT name FROM public.namespaces ORDER BY updated_at DESC LIMIT 1000

-- name: near_datasets
-- Names of datasets of a namespace, symlinks' among them, to name the nearest.
SELECT dataset_symlinks.name
FROM public.dataset_symlinks
JOIN public.namespaces ON namespaces.uuid = dataset_symlinks.namespace_uuid
WHERE namespaces.name IN (%(spelled)s, %(formatted)s)
ORDER BY dataset_symlinks.updated_at DESC
LIMIT 1000

-- name: near_jobs
-- Names of jobs of a namespace, to name the nearest of them.
SELECT name FROM public.jobs WHERE namespace_name IN (%(spelled)s, %(formatted)s) ORDER BY updated_at DESC LIMIT 1000

-- name: near_runs
-- The runs before and behind a uuid, in the order of uuids.
(SELECT uuid FROM public.runs WHERE uuid < %(run)s ORDER BY uuid DESC LIMIT 1)
UNION ALL
(SELECT uuid FROM public.runs WHERE uuid > %(run)s ORDER BY uuid LIMIT 1)

-- name: unreadable_facets
-- The facets that no table could be filled of, counted by facet, fault and producer; `path` is that of the last one.
SELECT
    name,
    reason,
    producer,
    count(*) AS facets,
    min(event_time) AS first_time,
    max(event_time) AS last_time,
    (array_agg(path ORDER BY event_order DESC, path COLLATE "C"))[1] AS path
FROM unreadable_facets
GROUP BY name, reason, producer
ORDER BY count(*) DESC, name COLLATE "C", reason COLLATE "C", producer COLLATE "C"

-- name: stored
-- Facets that the tables have, in the order of reading. A small one comes at once, a large one is loaded by its uuid.
SELECT
    found.facet_uuid AS uuid,
    microseconds(found.event_time) AS time,
    lifecycle_rank(found.lineage_event_type) AS rank,
    found.lineage_event_type AS event_type,
    found.name,
    found.type,
    CASE
        WHEN pg_column_size(found.facet) <= %(small)s AND octet_length(found.facet::text) <= %(short)s
        THEN convert_to(found.facet::text, 'UTF8')
    END AS content,
    found.event_order
FROM ({found}) AS found
ORDER BY
    found.event_time,
    lifecycle_rank(found.lineage_event_type),
    coalesce(found.lineage_event_type, '') COLLATE "C",
    found.name COLLATE "C",
    found.type COLLATE "C",
    found.facet_uuid

-- name: stored_of_dataset_version
-- What `stored` chooses of a dataset version.
SELECT facet_uuid, event_time, lineage_event_type, name, type, facet, NULL AS event_order
FROM dataset_facet_contents
WHERE version_uuid = %(uuid)s

-- name: stored_of_job_version
-- What `stored` chooses of a job version.
SELECT facet_uuid, event_time, lineage_event_type, name, NULL AS type, facet, NULL AS event_order
FROM job_facet_contents
WHERE job_version_uuid = %(uuid)s

-- name: stored_of_run
-- What `stored` chooses of a run.
SELECT facet_uuid, event_time, lineage_event_type, name, NULL AS type, facet, event_order
FROM run_facet_contents
WHERE run_uuid = %(uuid)s

-- name: waiting
-- Events that are not normalized, each once, in the order of reading. `only_ahead` chooses those that lay ahead of their receipt.
SELECT
    arrived_xid AS xid,
    arrival_seq AS seq,
    is_ahead,
    microseconds(event_time) AS time,
    rank,
    CASE
        WHEN pg_column_size(event) <= %(small)s AND event_bytes <= %(short)s THEN convert_to(event::text, 'UTF8')
    END AS text
FROM (
    SELECT *
    FROM (
        SELECT DISTINCT ON (identity)
            arrived_xid, arrival_seq, is_ahead, event_time, event, event_bytes, identity,
            lifecycle_rank(lineage_event_type) AS rank
        FROM ({found}) AS found
        ORDER BY identity, is_ahead
    ) AS once
    WHERE is_ahead OR NOT %(only_ahead)s
    ORDER BY event_time, rank, identity
    OFFSET 0
) AS in_order

-- name: waiting_of_dataset_version
-- What `waiting` chooses of a dataset version: the events that may name its dataset. Of a version that the tables do not know
-- they are all that wait.
SELECT waiting_events.*
FROM waiting_events
CROSS JOIN (
    SELECT names_of_dataset((SELECT dataset_uuid FROM dataset_versions WHERE uuid = %(uuid)s)) AS names OFFSET 0
) AS known
WHERE names IS NULL OR names_dataset(event, names)

-- name: waiting_of_job_version
-- What `waiting` chooses of a job version: the events of the runs that have made it.
SELECT *
FROM waiting_events
WHERE run_uuid = ANY (ARRAY(SELECT uuid FROM runs WHERE job_version_uuid = %(uuid)s)) AND kind = 'RUN_EVENT'

-- name: waiting_of_run
-- What `waiting` chooses of a run: its events.
SELECT *
FROM waiting_events
WHERE run_uuid = %(uuid)s AND kind = 'RUN_EVENT'
