-- name: datasets
-- Datasets that are shown, under each of their names, in the order of the names, behind the last one of the page before.
SELECT dataset.uuid, namespace.name AS namespace, symlink.name, dataset.updated_at
FROM dataset_symlinks AS symlink
JOIN namespaces AS namespace ON namespace.uuid = symlink.namespace_uuid
JOIN datasets AS dataset ON dataset.uuid = symlink.dataset_uuid
WHERE dataset.is_hidden IS FALSE
  AND (%(namespace)s::text IS NULL OR namespace.name = %(namespace)s)
  AND (symlink.name COLLATE "C", namespace.name COLLATE "C") > (%(name)s, %(after)s)
ORDER BY symlink.name COLLATE "C", namespace.name COLLATE "C"
LIMIT %(most)s

-- name: dataset
-- A dataset, and its version of now.
SELECT
    dataset.uuid,
    dataset.namespace_name AS namespace,
    dataset.name,
    dataset.description,
    dataset.created_at,
    dataset.updated_at,
    dataset.is_deleted,
    dataset.current_version_uuid AS version,
    dataset.source_name AS source,
    coalesce(version.fields, '[]') AS fields,
    version.created_at AS version_made_at,
    version.run_uuid AS version_run
FROM datasets AS dataset
LEFT JOIN dataset_versions AS version ON version.uuid = dataset.current_version_uuid
WHERE dataset.uuid = %(dataset)s

-- name: names_of_dataset
-- Every name of a dataset, its own first.
SELECT namespace.name AS namespace, symlink.name, symlink.is_primary AS is_own
FROM dataset_symlinks AS symlink
JOIN namespaces AS namespace ON namespace.uuid = symlink.namespace_uuid
WHERE symlink.dataset_uuid = %(dataset)s
ORDER BY symlink.is_primary DESC, namespace.name COLLATE "C", symlink.name COLLATE "C"
LIMIT %(most)s

-- name: versions_of_dataset
-- The last versions of a dataset, and the runs that wrote them.
SELECT version.uuid AS version, version.created_at AS made_at, version.run_uuid AS run, run.current_run_state AS state
FROM dataset_versions AS version
LEFT JOIN runs AS run ON run.uuid = version.run_uuid
WHERE version.dataset_uuid = %(dataset)s
ORDER BY version.created_at DESC, version.uuid
LIMIT %(most)s

-- name: jobs
-- Jobs that are shown, in the order of their names, behind the last one of the page before; each with its last run.
SELECT
    job.namespace_name AS namespace,
    job.name,
    last_run.uuid AS run,
    last_run.current_run_state AS state,
    last_run.transitioned_at AT TIME ZONE 'UTC' AS last_at
FROM (
    -- The page first, so that runs are looked for of no other job.
    SELECT uuid, namespace_name, name
    FROM jobs
    WHERE is_hidden IS FALSE
      AND symlink_target_uuid IS NULL
      AND (%(namespace)s::text IS NULL OR namespace_name = %(namespace)s)
      AND (name COLLATE "C", namespace_name COLLATE "C") > (%(name)s, %(after)s)
    ORDER BY name COLLATE "C", namespace_name COLLATE "C"
    LIMIT %(most)s
) AS job
LEFT JOIN LATERAL (
    SELECT uuid, current_run_state, transitioned_at
    FROM runs
    WHERE runs.job_uuid = job.uuid
    ORDER BY transitioned_at DESC NULLS LAST
    LIMIT 1
) AS last_run ON true
ORDER BY job.name COLLATE "C", job.namespace_name COLLATE "C"

-- name: job
-- A job, and its parent.
SELECT
    job.uuid,
    job.namespace_name AS namespace,
    job.name,
    job.type,
    job.description,
    job.created_at,
    job.updated_at,
    job.current_location AS location,
    job.current_version_uuid AS version,
    parent.namespace_name AS parent_namespace,
    parent.name AS parent_name
FROM jobs AS job
LEFT JOIN jobs AS parent ON parent.uuid = job.parent_job_uuid
WHERE job.uuid = %(job)s

-- name: versions_of_job
-- The last versions of a job.
SELECT version.uuid AS version, version.created_at AS made_at, version.updated_at AS last_at, version.location
FROM job_versions AS version
WHERE version.job_uuid = %(job)s
ORDER BY version.created_at DESC, version.uuid
LIMIT %(most)s

-- name: runs_of_job
-- The last runs of a job, by when their state last changed.
SELECT
    run.uuid AS run,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM runs AS run
WHERE run.job_uuid = %(job)s
ORDER BY run.transitioned_at DESC NULLS LAST, run.uuid
LIMIT %(most)s

-- name: last_runs
-- The runs that began last, behind the one of a time and uuid if there is one.
SELECT
    run.uuid AS run,
    run.created_at,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM runs AS run
WHERE
    (%(before)s::timestamptz IS NULL OR run.created_at < %(before)s)
    AND (%(created_at)s::timestamptz IS NULL OR run.created_at <= %(created_at)s)
    AND (%(behind)s::uuid IS NULL OR run.created_at < %(created_at)s OR run.uuid > %(behind)s)
ORDER BY run.created_at DESC, run.uuid
LIMIT %(most)s

-- name: run
-- A run, its job and its parent.
SELECT
    run.uuid AS run,
    run.current_run_state AS state,
    run.created_at,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took,
    run.nominal_start_time AT TIME ZONE 'UTC' AS nominal_start,
    run.nominal_end_time AT TIME ZONE 'UTC' AS nominal_end,
    run.location,
    run.job_version_uuid AS job_version,
    job.namespace_name AS namespace,
    job.name,
    run.parent_run_uuid AS parent_run,
    parent.job_name AS parent_name
FROM runs AS run
LEFT JOIN jobs AS job ON job.uuid = run.job_uuid
LEFT JOIN runs AS parent ON parent.uuid = run.parent_run_uuid
WHERE run.uuid = %(run)s

-- name: versions_of_run
-- The dataset versions that a run read and wrote.
SELECT used.uses, dataset.uuid AS dataset, dataset.namespace_name AS namespace, dataset.name, used.version
FROM (
    SELECT 'reads' AS uses, version.uuid AS version, version.dataset_uuid
    FROM runs_input_mapping AS mapped
    JOIN dataset_versions AS version ON version.uuid = mapped.dataset_version_uuid
    WHERE mapped.run_uuid = %(run)s
    UNION ALL
    SELECT 'writes', uuid, dataset_uuid
    FROM dataset_versions
    WHERE run_uuid = %(run)s
) AS used
JOIN datasets AS dataset ON dataset.uuid = used.dataset_uuid
ORDER BY used.uses COLLATE "C", dataset.namespace_name COLLATE "C", dataset.name COLLATE "C", used.version
LIMIT %(most)s

-- name: children_of_run
-- The runs that a run started.
SELECT
    run.uuid AS run,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM runs AS run
WHERE run.parent_run_uuid = %(run)s
ORDER BY run.created_at, run.uuid
LIMIT %(most)s

-- name: hours
-- How many events each hour of the last two days has, by event time, as they were counted last: an hour without any has none of
-- each. The days end now, whatever time the last event states.
SELECT
    hours.hour,
    coalesce(counted.start, 0) AS start,
    coalesce(counted.complete, 0) AS complete,
    coalesce(counted.fail, 0) AS fail,
    coalesce(counted.abort, 0) AS abort
FROM generate_series(
    date_trunc('hour', now()) - interval '47 hours', date_trunc('hour', now()), interval '1 hour'
) AS hours (hour)
LEFT JOIN lineage_events_by_type_hourly_view AS counted
    ON counted.start_interval >= hours.hour AND counted.start_interval < hours.hour + interval '1 hour'
ORDER BY hours.hour

-- name: jobs_of_dag
-- The jobs that Airflow names for a DAG and for its tasks, each with its last run.
SELECT
    job.namespace_name AS namespace,
    job.name,
    last_run.uuid AS run,
    last_run.current_run_state AS state,
    last_run.transitioned_at AT TIME ZONE 'UTC' AS last_at
FROM jobs AS job
LEFT JOIN LATERAL (
    SELECT uuid, current_run_state, transitioned_at
    FROM runs
    WHERE runs.job_uuid = job.uuid
    ORDER BY transitioned_at DESC NULLS LAST
    LIMIT 1
) AS last_run ON true
WHERE job.name = %(dag)s OR job.parent_job_uuid IN (SELECT uuid FROM jobs WHERE name = %(dag)s)
ORDER BY job.namespace_name COLLATE "C", job.name COLLATE "C"
LIMIT %(most)s

-- name: runs_of_dag_run
-- The runs of a DAG, among its last ones, that Airflow gave this run id.
SELECT
    run.uuid AS run,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM (
    SELECT uuid, namespace_name, job_name, current_run_state, started_at, ended_at, created_at
    FROM runs
    WHERE job_name = %(dag)s
    ORDER BY created_at DESC
    LIMIT %(last)s
) AS run
WHERE EXISTS (
    SELECT
    FROM run_facet_contents AS stated
    WHERE stated.run_uuid = run.uuid
      AND stated.name = 'airflowDagRun'
      AND stated.facet #>> '{airflowDagRun,dagRun,run_id}' = %(run)s
)
ORDER BY run.created_at DESC, run.uuid
LIMIT %(most)s

-- name: last_runs_of_jobs
-- The last run of each of some jobs.
SELECT
    job.uuid AS job,
    last_run.uuid AS run,
    last_run.current_run_state AS state,
    last_run.transitioned_at AT TIME ZONE 'UTC' AS last_at
FROM unnest(%(jobs)s::uuid[]) AS job (uuid)
CROSS JOIN LATERAL (
    SELECT uuid, current_run_state, transitioned_at
    FROM runs
    WHERE runs.job_uuid = job.uuid
    ORDER BY transitioned_at DESC NULLS LAST
    LIMIT 1
) AS last_run

-- name: failed_runs
-- Of the runs that began last before a moment, those that failed or were aborted, the last first.
SELECT
    run.uuid AS run,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM (
    SELECT uuid, namespace_name, job_name, current_run_state, started_at, ended_at, created_at
    FROM runs
    WHERE created_at < %(before)s
    ORDER BY created_at DESC
    LIMIT %(last)s
) AS run
WHERE run.current_run_state IN ('FAILED', 'ABORTED')
ORDER BY run.created_at DESC, run.uuid
LIMIT %(most)s

-- name: with_tag
-- What bears a tag with a text in its name, of each tag what had an event last first.
SELECT borne.kind, borne.namespace, borne.name, borne.column_name, tag.name AS named
FROM tags AS tag
CROSS JOIN LATERAL (
    SELECT 'dataset' AS kind, dataset.namespace_name AS namespace, dataset.name, NULL AS column_name, dataset.updated_at
    FROM datasets_tag_mapping AS mapped
    JOIN datasets AS dataset ON dataset.uuid = mapped.dataset_uuid
    WHERE mapped.tag_uuid = tag.uuid AND dataset.is_hidden IS FALSE
    UNION ALL
    SELECT 'job', job.namespace_name, job.name, NULL, job.updated_at
    FROM jobs_tag_mapping AS mapped
    JOIN jobs AS job ON job.uuid = mapped.job_uuid
    WHERE mapped.tag_uuid = tag.uuid AND job.is_hidden IS FALSE
    UNION ALL
    SELECT 'column', dataset.namespace_name, dataset.name, field.name, dataset.updated_at
    FROM dataset_fields_tag_mapping AS mapped
    JOIN dataset_fields AS field ON field.uuid = mapped.dataset_field_uuid
    JOIN datasets AS dataset ON dataset.uuid = field.dataset_uuid
    WHERE mapped.tag_uuid = tag.uuid AND dataset.is_hidden IS FALSE
) AS borne
WHERE strpos(lower(tag.name COLLATE "C"), lower(%(text)s::text COLLATE "C")) > 0
ORDER BY
    tag.name COLLATE "C",
    borne.updated_at DESC,
    borne.kind COLLATE "C",
    borne.namespace COLLATE "C",
    borne.name COLLATE "C",
    borne.column_name COLLATE "C"
LIMIT %(most)s

-- name: of_owner
-- What an owner with a text in the name owns by the last event that says so, of each owner what had an event last first.
SELECT owned.kind, owned.namespace, owned.name, NULL AS column_name, owner.name AS named
FROM owners AS owner
CROSS JOIN LATERAL (
    SELECT 'dataset' AS kind, dataset.namespace_name AS namespace, dataset.name, dataset.updated_at
    FROM datasets AS dataset
    WHERE dataset.is_hidden IS FALSE
      AND dataset.uuid IN (SELECT dataset_uuid FROM dataset_ownerships WHERE owner_uuid = owner.uuid)
    UNION ALL
    SELECT 'job', job.namespace_name, job.name, job.updated_at
    FROM jobs AS job
    WHERE job.is_hidden IS FALSE
      AND job.uuid IN (SELECT job_uuid FROM job_ownerships WHERE owner_uuid = owner.uuid)
) AS owned
WHERE strpos(lower(owner.name COLLATE "C"), lower(%(text)s::text COLLATE "C")) > 0
ORDER BY
    owner.name COLLATE "C",
    owned.updated_at DESC,
    owned.kind COLLATE "C",
    owned.namespace COLLATE "C",
    owned.name COLLATE "C"
LIMIT %(most)s

-- name: moments_of_dataset
-- When edges of a dataset came and went, under each of its names, those first that hold or went last.
SELECT edge.since_event, edge.until_event
FROM (
    SELECT %(dataset)s::uuid AS uuid
    UNION
    SELECT known.key_uuid FROM identity_map AS known WHERE known.entity = 'datasets' AND known.uuid = %(dataset)s
) AS name
-- Apart, as the index has those that read behind one another, and those that write.
CROSS JOIN (VALUES (input_role()), (output_role())) AS asked (role)
CROSS JOIN LATERAL (
    SELECT since_event, until_event
    FROM job_edges
    WHERE name_uuid = name.uuid
      AND role = asked.role
      AND lineage_uuid = '00000000-0000-0000-0000-000000000000'
    ORDER BY until_event DESC
    LIMIT %(most)s
) AS edge
ORDER BY edge.until_event DESC
LIMIT %(most)s

-- name: moments_of_job
-- When edges of a job came and went, those first that hold or went last.
SELECT since_event, until_event
FROM job_edges
WHERE job_uuid = %(job)s AND lineage_uuid = '00000000-0000-0000-0000-000000000000'
ORDER BY until_event DESC
LIMIT %(most)s

-- name: parents_of_jobs
-- Which of some jobs others started, such as a DAG or an application of Spark, and what these are called.
SELECT job.uuid AS job, parent.uuid AS parent, parent.name
FROM unnest(%(jobs)s::uuid[]) AS asked (uuid)
JOIN jobs AS job ON job.uuid = asked.uuid
JOIN jobs AS parent ON parent.uuid = job.parent_job_uuid
LIMIT %(most)s

-- name: ancestors_of_run
-- The run that started a run, the one that started that, and so on.
WITH RECURSIVE above AS (
    SELECT parent_run_uuid AS uuid, 1 AS steps FROM runs WHERE uuid = %(run)s AND parent_run_uuid IS NOT NULL
    UNION ALL
    SELECT run.parent_run_uuid, above.steps + 1
    FROM above
    JOIN runs AS run ON run.uuid = above.uuid
    WHERE run.parent_run_uuid IS NOT NULL AND above.steps < %(steps)s
)
SELECT
    run.uuid AS run,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM above
JOIN runs AS run ON run.uuid = above.uuid
ORDER BY above.steps
LIMIT %(most)s

-- name: descendants_of_run
-- The runs that a run started, those that these started, and so on, the nearest first. Of each at most as many are looked at as are
-- asked for.
WITH RECURSIVE below AS (
    (
        SELECT uuid, parent_run_uuid, 1 AS steps
        FROM runs
        WHERE parent_run_uuid = %(run)s
        ORDER BY created_at, uuid
        LIMIT %(most)s
    )
    UNION ALL
    SELECT child.uuid, below.uuid, below.steps + 1
    FROM below
    CROSS JOIN LATERAL (
        SELECT uuid
        FROM runs
        WHERE parent_run_uuid = below.uuid
        ORDER BY created_at, uuid
        LIMIT %(most)s
    ) AS child
    WHERE below.steps < %(steps)s
)
SELECT
    run.uuid AS run,
    nearest.parent_run_uuid AS parent_run,
    nearest.steps,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at,
    run.ended_at - run.started_at AS took
FROM (
    -- As they are found: step by step, and none of those behind the last one of the page is looked for.
    SELECT uuid, parent_run_uuid, steps FROM below LIMIT %(most)s
) AS nearest
JOIN runs AS run ON run.uuid = nearest.uuid
ORDER BY nearest.steps, run.created_at, run.uuid

-- name: statistics_of_dataset
-- The facets that count a dataset, of what was written of it last, the last first.
SELECT mention.event_time AS at, mention.run_uuid AS run, content.name, content.facet -> content.name AS content
FROM (
    SELECT event_order, event_time, run_uuid, facets_uuid, io_facets_uuid
    FROM dataset_mentions
    WHERE dataset_uuid = %(dataset)s AND role = output_role() AND NOT is_purged
    ORDER BY event_order DESC
    LIMIT %(looked_at)s
) AS mention
CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS named (set_uuid)
JOIN facet_sets ON facet_sets.uuid = named.set_uuid
CROSS JOIN LATERAL unnest(facet_sets.facets) AS listed (facet_uuid)
JOIN facets AS content ON content.uuid = listed.facet_uuid
WHERE content.name = ANY (%(names)s) AND pg_column_size(content.facet) <= %(largest)s
ORDER BY mention.event_order DESC, content.name COLLATE "C", content.uuid
LIMIT %(most)s

-- name: retention_plans
-- The plans of retention that were kept, the last first, and whether each was carried out.
SELECT
    plan.id,
    plan.as_of,
    plan.planned_at,
    plan.written,
    EXISTS (
        SELECT FROM retention_reports AS report WHERE (report.plan ->> 'plan')::bigint = plan.id
    ) AS is_applied
FROM retention_plans AS plan
ORDER BY plan.id DESC
LIMIT %(most)s

-- name: known_things
-- How many jobs, datasets and runs the tables have of what a legal hold names, each up to a bound: who asks for a whole
-- namespace is to be answered within the time limit of a page.
WITH meant AS (
    SELECT uuid, name FROM namespaces WHERE namespace_fits(%(pattern)s::text, formatted_namespace(name))
),

known_jobs AS (
    SELECT FROM jobs
    WHERE namespace_uuid IN (SELECT uuid FROM meant)
      AND %(dataset)s::text IS NULL AND %(run)s::uuid IS NULL AND (%(job)s::text IS NULL OR name = %(job)s)
    LIMIT %(most)s
),

known_datasets AS (
    SELECT DISTINCT dataset_uuid FROM dataset_symlinks
    WHERE namespace_uuid IN (SELECT uuid FROM meant)
      AND %(job)s::text IS NULL AND %(run)s::uuid IS NULL AND (%(dataset)s::text IS NULL OR name = %(dataset)s)
    LIMIT %(most)s
),

known_runs AS (
    SELECT FROM runs
    WHERE namespace_name IN (SELECT name FROM meant)
      AND %(dataset)s::text IS NULL
      AND (%(run)s::uuid IS NULL OR uuid = %(run)s)
      AND (%(job)s::text IS NULL OR job_name = %(job)s)
    LIMIT %(most)s
)

SELECT
    (SELECT count(*) FROM known_jobs) AS jobs,
    (SELECT count(*) FROM known_datasets) AS datasets,
    (SELECT count(*) FROM known_runs) AS runs

-- name: named_runs
-- The jobs of some runs, and how these ended.
SELECT
    run.uuid AS run,
    run.job_uuid AS job,
    run.namespace_name AS namespace,
    run.job_name AS name,
    run.current_run_state AS state,
    run.started_at AT TIME ZONE 'UTC' AS started_at,
    run.ended_at AT TIME ZONE 'UTC' AS ended_at
FROM runs AS run
WHERE run.uuid = ANY (%(runs)s)

-- name: named_versions
-- The datasets of some versions.
SELECT
    version.uuid AS version,
    dataset.uuid AS dataset,
    dataset.namespace_name AS namespace,
    dataset.name,
    version.created_at AS made_at
FROM dataset_versions AS version
JOIN datasets AS dataset ON dataset.uuid = version.dataset_uuid
WHERE version.uuid = ANY (%(versions)s)

-- name: owners_of
-- Who owns some jobs and datasets by the last events that say so, in the order of the names.
SELECT owned.uuid, string_agg(owned.owner, ', ' ORDER BY owned.owner COLLATE "C") AS owner
FROM (
    SELECT owned_job.job_uuid AS uuid, owner.name AS owner
    FROM job_ownerships AS owned_job
    JOIN owners AS owner ON owner.uuid = owned_job.owner_uuid
    WHERE owned_job.job_uuid = ANY (%(uuids)s)
    UNION
    SELECT owned_dataset.dataset_uuid, owner.name
    FROM dataset_ownerships AS owned_dataset
    JOIN owners AS owner ON owner.uuid = owned_dataset.owner_uuid
    WHERE owned_dataset.dataset_uuid = ANY (%(uuids)s)
) AS owned
GROUP BY owned.uuid

-- name: persons_of_holds
-- Who placed some holds, each by its subject in the acts, where the login states who asked.
SELECT subject AS hold, person
FROM operator_acts
WHERE what = 'retention hold add' AND subject = ANY (%(holds)s) AND person IS NOT NULL
LIMIT %(most)s

-- name: things
-- The names of some jobs and datasets.
SELECT uuid, 'job' AS kind, namespace_name AS namespace, name FROM jobs WHERE uuid = ANY (%(uuids)s::uuid[])
UNION ALL
SELECT uuid, 'dataset', namespace_name, name FROM datasets WHERE uuid = ANY (%(uuids)s::uuid[])

-- name: facets_by_id
-- Some facets, without large ones.
SELECT uuid, name, facet -> name AS content
FROM facets
WHERE uuid = ANY (%(facets)s::uuid[]) AND pg_column_size(facet) <= %(largest)s

-- name: uses_of_job_versions
-- What some versions of a job read and write.
SELECT mapped.job_version_uuid AS version, mapped.io_type, dataset.namespace_name AS namespace, dataset.name
FROM job_versions_io_mapping AS mapped
JOIN datasets AS dataset ON dataset.uuid = mapped.dataset_uuid
WHERE mapped.job_version_uuid = ANY (%(versions)s::uuid[])
LIMIT %(most)s

-- name: rows_about
-- About how many rows some tables have: as they were analyzed, or as statistics have counted since.
SELECT relation.relname::text AS name, greatest(relation.reltuples, pg_stat_get_live_tuples(relation.oid), 0)::bigint AS rows
FROM pg_class AS relation
WHERE relation.oid = ANY (%(tables)s::text[]::regclass[])

-- name: facets_as_stated
-- Of some events, some mentions of datasets, and some facets that runs keep once: how many facets each states, and the bytes of
-- these where they are kept. What is purged states none. The order is random, as pages of a table are not alike.
SELECT named.name, count(*) AS sampled, coalesce(sum(stated.facets), 0)::bigint AS facets, coalesce(sum(stated.bytes), 0)::bigint AS bytes
FROM (
    (
        SELECT
            'event_ledger' AS name,
            CASE WHEN NOT is_purged THEN run_facets_uuid END AS one,
            CASE WHEN NOT is_purged THEN job_facets_uuid END AS other,
            NULL::uuid AS kept
        FROM event_ledger TABLESAMPLE SYSTEM (%(of_events)s)
        ORDER BY random()
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT
            'dataset_mentions',
            CASE WHEN NOT is_purged THEN facets_uuid END,
            CASE WHEN NOT is_purged THEN io_facets_uuid END,
            NULL
        FROM dataset_mentions TABLESAMPLE SYSTEM (%(of_mentions)s)
        ORDER BY random()
        LIMIT %(most)s
    )
    UNION ALL
    (
        SELECT 'run_facets_kept_once', NULL, NULL, facet_uuid
        FROM run_facets_kept_once TABLESAMPLE SYSTEM (%(of_kept_once)s)
        ORDER BY random()
        LIMIT %(most)s
    )
) AS named
CROSS JOIN LATERAL (
    SELECT count(*) AS facets, sum(content.bytes) AS bytes
    FROM (
        SELECT unnest(facet_set.facets) AS facet_uuid
        FROM (VALUES (named.one), (named.other)) AS listed (set_uuid)
        CROSS JOIN LATERAL (SELECT facets FROM facet_sets WHERE uuid = listed.set_uuid OFFSET 0) AS facet_set
        UNION ALL
        SELECT named.kept
    ) AS member
    CROSS JOIN LATERAL (SELECT pg_column_size(facet) AS bytes FROM facets WHERE uuid = member.facet_uuid OFFSET 0) AS content
) AS stated
GROUP BY named.name

-- name: columns_as_listed
-- Of some dataset versions, and of some schema versions: how many columns they have.
SELECT named.name, count(*) AS sampled, coalesce(sum(named.columns), 0)::bigint AS columns
FROM (
    (
        SELECT 'dataset_versions' AS name, cardinality(schema_version.field_uuids) AS columns
        FROM (
            SELECT dataset_schema_version_uuid
            FROM dataset_versions TABLESAMPLE SYSTEM (%(of_versions)s)
            ORDER BY random()
            LIMIT %(most)s
        ) AS version
        CROSS JOIN LATERAL (
            SELECT field_uuids FROM dataset_schema_versions WHERE uuid = version.dataset_schema_version_uuid OFFSET 0
        ) AS schema_version
    )
    UNION ALL
    (
        SELECT 'dataset_schema_versions', cardinality(field_uuids)
        FROM dataset_schema_versions TABLESAMPLE SYSTEM (%(of_schemas)s)
        ORDER BY random()
        LIMIT %(most)s
    )
) AS named
GROUP BY named.name

-- name: named_events
-- Some events by their places in the order: when they were, and of which runs, of those that are left.
SELECT encode(ledger.event_order, 'hex') AS event, ledger.event_time AS at, run.uuid AS run
FROM event_ledger AS ledger
LEFT JOIN runs AS run ON run.uuid = ledger.run_uuid
WHERE ledger.event_order = ANY (%(events)s::bytea[])
