-- name: status/waiting
-- How much waits, up to some number of events.
SELECT
    count(*) AS events,
    coalesce(sum(event_bytes), 0)::bigint AS bytes,
    count(*) >= %(most)s AS is_more
FROM (SELECT event_bytes FROM waiting_events LIMIT %(most)s) AS waiting

-- name: status/normalization
-- Who normalizes now, when the watermark last moved, and who follows what arrives: the sessions that say so by their names.
SELECT
    (SELECT updated_at FROM watermarks WHERE name = %(name)s) AS moved_at,
    (SELECT holder FROM leases WHERE name = %(name)s AND expires_at > now()) AS holder,
    ARRAY(
        SELECT substr(application_name, length(%(follows)s) + 1) || ', ' || pid
        FROM pg_stat_activity
        WHERE datname = current_database() AND starts_with(application_name, %(follows)s)
        ORDER BY pid
    ) AS followers

-- name: status/followers
-- Who follows on one machine. Its last sign of life: a look of its own, or a slice of the run that it has at work meanwhile. Null
-- where this login may not see when another one has looked.
SELECT
    pid AS session,
    is_at_work,
    extract(
        epoch FROM clock_timestamp() - CASE
            WHEN is_at_work AND state_change IS NOT NULL THEN greatest(state_change, moved_at)
            ELSE state_change
        END
    )::double precision AS silent_seconds
FROM pg_stat_activity
CROSS JOIN (
    SELECT
        EXISTS (
            SELECT FROM leases WHERE name = %(name)s AND expires_at > now() AND starts_with(holder, %(machine)s || ', ')
        ) AS is_at_work,
        (SELECT updated_at FROM watermarks WHERE name = %(name)s) AS moved_at
) AS run
WHERE datname = current_database() AND application_name = %(session_name)s
ORDER BY pid

-- name: part_by_arrival
-- Text and verdict of the events of one part, by the same choice as waiting_by_arrival.
SELECT convert_to(event::text, 'UTF8'), is_ahead
FROM (
    SELECT arrived_xid, arrival_seq, event, is_ahead
    FROM lineage_events
    WHERE arrived_xid = ANY (ARRAY(SELECT pg_snapshot_xip(%(done)s::pg_snapshot)::text::bigint))
      AND (arrived_xid, arrival_seq) > (%(after_first)s, %(after_second)s)
    UNION ALL
    SELECT arrived_xid, arrival_seq, event, is_ahead
    FROM lineage_events
    -- One bound, not two: an index scan begins at one of them, and not always at the higher.
    WHERE (arrived_xid, arrival_seq) > (
        greatest((%(after_first)s)::bigint, pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint - 1),
        CASE
            WHEN (%(after_first)s)::bigint >= pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint THEN (%(after_second)s)::bigint
            ELSE 9223372036854775807
        END
    )
) AS unseen
WHERE pg_visible_in_snapshot(arrived_xid::text::xid8, %(target)s::pg_snapshot)
  AND (arrived_xid, arrival_seq) <= (%(until_first)s, %(until_second)s)

-- name: waiting_by_arrival
-- Events that the target snapshot sees and the snapshot of what is done does not, behind a place, in order of arrival.
-- Those of transactions that were open at the last run are looked up one by one: one left open for long delays nothing.
SELECT arrived_xid AS first, arrival_seq AS second, event_bytes AS size
FROM (
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    WHERE arrived_xid = ANY (ARRAY(SELECT pg_snapshot_xip(%(done)s::pg_snapshot)::text::bigint))
      AND (arrived_xid, arrival_seq) > (%(after_first)s, %(after_second)s)
    UNION ALL
    SELECT arrived_xid, arrival_seq, event_bytes
    FROM lineage_events
    -- One bound, not two: an index scan begins at one of them, and not always at the higher.
    WHERE (arrived_xid, arrival_seq) > (
        greatest((%(after_first)s)::bigint, pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint - 1),
        CASE
            WHEN (%(after_first)s)::bigint >= pg_snapshot_xmax(%(done)s::pg_snapshot)::text::bigint THEN (%(after_second)s)::bigint
            ELSE 9223372036854775807
        END
    )
) AS unseen
WHERE arrived_xid < pg_snapshot_xmax(%(target)s::pg_snapshot)::text::bigint
  AND pg_visible_in_snapshot(arrived_xid::text::xid8, %(target)s::pg_snapshot)
ORDER BY arrived_xid, arrival_seq

-- name: move_cursor
-- Writes up to which event all is done, of those that the target sees.
UPDATE watermarks SET cursor_xid = %(xid)s, cursor_seq = %(seq)s, updated_at = now() WHERE name = %(name)s

-- name: part_by_event_time
-- Text and verdict of the events of one part, by the same choice as waiting_by_event_time.
SELECT convert_to(event::text, 'UTF8'), is_ahead
FROM lineage_events
WHERE event_time >= instant(%(since)s)
  AND event_time < instant(%(until)s)
  AND (event_time, arrival_seq) > (instant(%(after_first)s), %(after_second)s)
  AND (event_time, arrival_seq) <= (instant(%(until_first)s), %(until_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))

-- name: waiting_by_event_time
-- Events of an interval of event time, and of some job namespaces if any are named, behind a place, in order of time.
SELECT microseconds(event_time) AS first, arrival_seq AS second, event_bytes AS size
FROM lineage_events
WHERE event_time >= instant(%(since)s)
  AND event_time < instant(%(until)s)
  AND (event_time, arrival_seq) > (instant(%(after_first)s), %(after_second)s)
  AND (cardinality(%(namespaces)s::text[]) = 0 OR job_namespace = ANY (%(namespaces)s::text[]))
ORDER BY event_time, arrival_seq

-- name: renumber_foreign
-- Lets events that bear no arrival number of here arrive now; how many there were.
SELECT renumber_foreign_events()

-- name: begin
-- The watermark, with a target: that of a run that was interrupted, else what is committed now.
INSERT INTO watermarks AS mark (name, system_identifier, done, target, partitions)
SELECT %(name)s, system_identifier, %(nothing)s::pg_snapshot, pg_current_snapshot(), event_partitions()
FROM pg_control_system()
ON CONFLICT (name) DO UPDATE SET target = coalesce(mark.target, excluded.target)
RETURNING
    done::text,
    target::text,
    cursor_xid AS xid,
    cursor_seq AS seq,
    target::text <> pg_current_snapshot()::text AS is_resumed;

-- name: has_arrived
-- Whether an event is here that the snapshot of what is done does not see, or a run was interrupted. What a statement sees has committed.
SELECT EXISTS (
    SELECT FROM lineage_events
    WHERE arrived_xid = ANY (
        ARRAY(SELECT pg_snapshot_xip(done)::text::bigint FROM watermarks WHERE name = %(name)s)
    )
    UNION ALL
    SELECT FROM lineage_events
    WHERE arrived_xid >= coalesce(
        (SELECT pg_snapshot_xmax(done)::text::bigint FROM watermarks WHERE name = %(name)s), 0
    )
    UNION ALL
    SELECT FROM watermarks
    WHERE name = %(name)s AND target IS NOT NULL
)

-- name: others_among
-- Whether any of these events is not of the platform's own jobs, which are named after their DAGs: DAG, or DAG.TASK.
SELECT EXISTS (
    SELECT
    FROM unnest(%(xids)s::bigint[], %(seqs)s::bigint[]) AS waiting (arrived_xid, arrival_seq)
    JOIN lineage_events USING (arrived_xid, arrival_seq)
    WHERE NOT coalesce(job_namespace = %(namespace)s AND split_part(job_name, '.', 1) = ANY (%(dags)s), false)
)

-- name: finish
-- Writes that all which the target sees is done.
UPDATE watermarks
SET done = %(target)s::pg_snapshot, target = NULL, cursor_xid = NULL, cursor_seq = NULL, updated_at = now()
WHERE name = %(name)s

-- name: stranger
-- What shows that the watermark comes from another cluster; no row if nothing does.
SELECT format('The watermark %%L was made in another cluster (system identifier %%s)', name, mark.system_identifier)
FROM watermarks AS mark, pg_control_system() AS here
WHERE name = %(name)s
  AND (mark.system_identifier <> here.system_identifier
       OR pg_snapshot_xmax(mark.done) > pg_snapshot_xmax(pg_current_snapshot()));

-- name: last_horizon
-- The last time up to which retention has deleted, whatever of.
SELECT microseconds(max(before)) FROM retention_horizons

-- name: behind_horizons
-- Those of some events of which retention has deleted what happened at their time.
SELECT given.identity
FROM unnest(%(identities)b::bytea[], %(events)b::text[], %(event_times)s::timestamptz[]) AS given (identity, event, event_time)
WHERE is_behind_horizon(given.event::jsonb, given.event_time)

-- name: held_orders
-- Those of the orders of events that the ledger has, and whose runs were not deleted since.
SELECT event_order FROM event_ledger WHERE event_order = ANY (%(orders)b) AND NOT is_purged

-- name: refresh_hourly_counts
-- Refreshes the counts of events by hour, unless that was done within the hour; whether it did.
SELECT refresh_hourly_counts()

-- name: merge_settings
-- How the planner is to take a merge: the keys that a slice touches are few beside what is stored, and are looked up. What the
-- statistics say of those tables may be old, and then it would read them whole instead.
-- What the merge works with is in temporary tables, and no table of the same name in public may stand in for one of them.
-- These can only be read whole. Before 18, Postgres adds 10^10 to the cost of a plan for each scan that is turned off, and takes plans
-- for equal that differ by less than a hundredth: beside such a scan, it would not matter to it whether all else is read whole, too.
SET LOCAL search_path = pg_temp, public;
SELECT pg_catalog.set_config(
    'enable_seqscan', (pg_catalog.current_setting('server_version_num')::integer < 180000)::text, true
);
SET LOCAL random_page_cost = 1.1;
SET LOCAL jit = off;
-- Only temporary tables are analyzed. How many rows they have, and how many of them are alike, 6,000 rows show as well as 30,000 do.
SET LOCAL default_statistics_target = 20;
-- A driver that stands still in the middle of its merge must not keep all others out.
SET LOCAL idle_in_transaction_session_timeout = '60s';

-- name: changed_rows
-- Rows that this session has inserted, updated or deleted, and those of them that it has inserted, by table, and that Postgres has not
-- added to its statistics yet. It does so between transactions only, so what two looks in one transaction differ by was changed between
-- them.
SELECT relname::text AS table, n_tup_ins + n_tup_upd + n_tup_del AS rows, n_tup_ins AS added
FROM pg_stat_xact_user_tables
WHERE schemaname = 'public' AND n_tup_ins + n_tup_upd + n_tup_del > 0

-- name: other_verdicts
-- Whether the ledger knows a staged event under the other verdict. It was staged, then, before the slice with its first copy was
-- merged.
SELECT EXISTS (
    SELECT
    FROM {staging}.event_ledger AS staged
    JOIN event_ledger AS known
        ON known.event_order = event_order(substr(staged.event_order, 2), NOT is_ahead(staged.event_order))
    WHERE staged.part_id = ANY (%(parts)s)
);

-- name: quarantine_part
-- Puts the one event of a part, which the statement of the part reads, into quarantine.
INSERT INTO quarantine (reason, path, raw, source)
SELECT %(reason)s, '$', content, 'lineage_events'
FROM ({part}) AS found (content, is_ahead)
ON CONFLICT DO NOTHING

-- name: forget_parts
-- Removes from the manifest what stands where a slice is to be staged; gives the ids of these parts. Slices take turns.
DELETE FROM staged_parts WHERE epoch <= %(epoch)s AND (slice - 1) %% %(turns)s = %(turn)s RETURNING part_id

-- name: filled_staging
-- Tables where slices are staged which are not empty, as each that is emptied gets new files, and all know it anew.
SELECT relname
FROM pg_class
WHERE relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s)
  AND relkind = 'r'
  AND pg_relation_size(oid) > 0

-- name: delete_staged
-- Removes what some parts have staged for a table.
DELETE FROM {table} WHERE part_id = ANY (%(parts)s)

-- name: count_staged
-- How many rows some parts have staged for a table.
SELECT count(*) FROM {table} WHERE part_id = ANY (%(parts)s)

-- name: renumber_strangers
-- Events that came out of a dump with the numbers of transactions which have yet to come in this cluster. They arrive now.
-- Lower numbers stay: no snapshot taken from now on misses them.
UPDATE lineage_events
SET arrived_xid = pg_current_xact_id()::text::bigint, arrival_seq = nextval('lineage_events_arrival_seq')
WHERE arrived_xid >= pg_snapshot_xmin(pg_current_snapshot())::text::bigint;

-- name: begin_anew
-- The watermark as it is before the first run in this cluster.
UPDATE watermarks
SET system_identifier = here.system_identifier,
    done = %(nothing)s::pg_snapshot,
    target = NULL,
    cursor_xid = NULL,
    cursor_seq = NULL,
    updated_at = now()
FROM pg_control_system() AS here
WHERE name = %(name)s;

-- name: keep_repeated_verdicts
-- Verdicts on schemas that come again, as most do: of datasets whose timelines go on with the fields that were judged last. Where
-- these were unchanged, and what they were judged by names the type of each field, they have left it as it was (`DatasetHistory.next`):
-- the same fields are judged alike. If something before them has changed, too, the walk from there on judges them anew.
-- The fields of a timeline are compared once: joined to its places, each would be compared for each.
-- Versions and events are looked up place by place: the planner expects a third of the timeline behind the last place.
WITH repeated AS MATERIALIZED (
    SELECT last.*
    FROM (SELECT DISTINCT dataset_uuid FROM written_pointers) AS written
    CROSS JOIN LATERAL (
        SELECT *
        FROM dataset_schema_verdicts AS stored
        WHERE stored.dataset_uuid = written.dataset_uuid
        ORDER BY stored.event_order DESC
        LIMIT 1
    ) AS last
    JOIN dataset_schema_histories AS known ON known.uuid = last.history_uuid
    CROSS JOIN LATERAL (SELECT fields FROM dataset_versions WHERE uuid = last.version_uuid OFFSET 0) AS judged
    WHERE last.verdict = 'unchanged'
      AND NOT jsonb_path_exists(known.history, '$.**.fields[*] ? (!exists(@.deleted) && !exists(@.type.described_as))')
      AND (
          SELECT bool_and(version.fields IS NOT DISTINCT FROM judged.fields)
          FROM dataset_version_timeline AS place
          CROSS JOIN LATERAL (SELECT fields FROM dataset_versions WHERE uuid = place.version_uuid OFFSET 0) AS version
          WHERE place.dataset_uuid = last.dataset_uuid AND place.event_order > last.event_order AND place.is_written
      )
)
INSERT INTO dataset_schema_verdicts (
    dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing, history_uuid
)
SELECT
    place.dataset_uuid,
    place.event_order,
    place.version_uuid,
    coalesce(ledger.event_time, version.created_at),
    last.verdict,
    last.changes,
    last.refusals,
    last.fencing,
    last.history_uuid
FROM repeated AS last
JOIN dataset_version_timeline AS place
    ON place.dataset_uuid = last.dataset_uuid AND place.event_order > last.event_order AND place.is_written
CROSS JOIN LATERAL (SELECT created_at FROM dataset_versions WHERE uuid = place.version_uuid OFFSET 0) AS version
LEFT JOIN LATERAL (SELECT event_time FROM event_ledger WHERE event_order = place.event_order OFFSET 0) AS ledger ON true
ORDER BY place.dataset_uuid, place.event_order

-- name: changed_schemas
-- The places of timelines where the schema is to be judged: they are new, have another version, or a version that lists its fields
-- otherwise now. Of a dataset that has lost or gained a name, all that were judged, too.
SELECT
    place.dataset_uuid AS dataset,
    array_agg(place.event_order ORDER BY place.event_order) AS places,
    bool_or(place.is_moved) AS is_moved
FROM (
    SELECT pointer.dataset_uuid, pointer.event_order, false AS is_moved
    FROM written_pointers AS pointer
    LEFT JOIN dataset_schema_verdicts AS stored USING (dataset_uuid, event_order)
    WHERE stored.version_uuid IS DISTINCT FROM pointer.version_uuid
    UNION ALL
    SELECT stored.dataset_uuid, stored.event_order, false
    FROM redescribed_versions AS redescribed
    JOIN dataset_schema_verdicts AS stored USING (version_uuid)
    UNION ALL
    SELECT stored.dataset_uuid, stored.event_order, true
    FROM moved_datasets AS moved
    JOIN dataset_schema_verdicts AS stored ON stored.dataset_uuid = moved.uuid
) AS place
GROUP BY place.dataset_uuid
ORDER BY place.dataset_uuid

-- name: forget_schema_verdicts
-- Verdicts on what is no longer in the timeline of its dataset.
DELETE FROM dataset_schema_verdicts AS stored
WHERE stored.dataset_uuid = ANY (%(datasets)s)
  AND NOT EXISTS (
      SELECT
      FROM dataset_version_timeline AS place
      WHERE place.dataset_uuid = stored.dataset_uuid AND place.event_order = stored.event_order AND place.is_written
  )

-- name: forget_schema_histories
-- Histories by which no schema is judged any more: some of all datasets, and all of those that have lost or gained a name.
DELETE FROM dataset_schema_histories AS stored
WHERE (stored.uuid = ANY (%(replaced)s) OR stored.dataset_uuid = ANY (%(moved)s))
  AND NOT EXISTS (SELECT FROM dataset_schema_verdicts WHERE history_uuid = stored.uuid)

-- name: resolve_schema_alerts
-- Alerts of datasets that are no longer true: events that came late have made the verdict another.
UPDATE dataset_schema_alerts AS stored
SET resolved_at = now(), resolution = coalesce(judged.verdict, 'moved')
FROM dataset_schema_alerts AS alert
LEFT JOIN dataset_schema_verdicts AS judged
    ON judged.dataset_uuid = alert.dataset_uuid AND judged.event_order = alert.event_order
WHERE alert.dataset_uuid = ANY (%(datasets)s)
  AND alert.resolved_at IS NULL
  AND judged.verdict IS DISTINCT FROM 'refused'
  AND stored.id = alert.id

-- name: schemas_to_judge
-- The next places of timelines from some place on, with the fields of their versions, and by what they were judged, if they were.
SELECT
    asked.dataset_uuid AS dataset,
    place.event_order,
    place.version_uuid AS version,
    coalesce(ledger.event_time, version.created_at) AS current_from,
    version.fields::text,
    stored.event_order IS NOT NULL AS is_judged,
    stored.history_uuid AS history
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS asked (dataset_uuid, event_order)
CROSS JOIN LATERAL (
    SELECT event_order, version_uuid
    FROM dataset_version_timeline
    WHERE dataset_uuid = asked.dataset_uuid AND event_order >= asked.event_order AND is_written
    ORDER BY event_order
    LIMIT %(most)s
) AS place
JOIN dataset_versions AS version ON version.uuid = place.version_uuid
LEFT JOIN event_ledger AS ledger ON ledger.event_order = place.event_order
LEFT JOIN dataset_schema_verdicts AS stored
    ON stored.dataset_uuid = asked.dataset_uuid AND stored.event_order = place.event_order
ORDER BY asked.dataset_uuid, place.event_order

-- name: known_schemas
-- What is known of datasets before some place of their timelines. The first verdict from there on says by what it was judged. Where
-- there is none, the last one before says so, and `fields` are those that it judged. In a time that was restored, as a legal hold of
-- all namespaces is about it, what came later says nothing of it: it may know of fields that were deleted afterwards.
SELECT asked.dataset_uuid AS dataset, known.uuid AS history_uuid, known.history, judged.fields::text, beginning.is_before
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS asked (dataset_uuid, event_order)
CROSS JOIN LATERAL (
    SELECT EXISTS (
        SELECT
        FROM event_ledger AS ledger
        JOIN retention_holds_in_force AS held
            ON held.namespace_pattern = '*'
            AND ledger.event_time >= held.events_since
            AND (held.events_until IS NULL OR ledger.event_time < held.events_until)
        WHERE ledger.event_order = asked.event_order
    )
) AS span (is_restored)
CROSS JOIN LATERAL (
    (
        SELECT history_uuid, version_uuid, false AS is_before
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = asked.dataset_uuid AND event_order >= asked.event_order AND NOT span.is_restored
        ORDER BY event_order
        LIMIT 1
    )
    UNION ALL
    (
        SELECT history_uuid, version_uuid, true
        FROM dataset_schema_verdicts
        WHERE dataset_uuid = asked.dataset_uuid AND event_order < asked.event_order
        ORDER BY event_order DESC
        LIMIT 1
    )
    ORDER BY is_before
    LIMIT 1
) AS beginning
LEFT JOIN dataset_schema_histories AS known ON known.uuid = beginning.history_uuid
LEFT JOIN dataset_versions AS judged ON judged.uuid = beginning.version_uuid AND beginning.is_before

-- name: keep_schema_histories
-- By what schemas are judged.
INSERT INTO dataset_schema_histories (uuid, dataset_uuid, history)
SELECT uuid, dataset_uuid, history::jsonb
FROM unnest(%(uuids)s::uuid[], %(datasets)s::uuid[], %(histories)b::text[]) AS known (uuid, dataset_uuid, history)
ORDER BY uuid
ON CONFLICT (uuid) DO NOTHING

-- name: keep_schema_verdicts
-- Verdicts that are new or have changed.
INSERT INTO dataset_schema_verdicts AS stored (
    dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing, history_uuid
)
SELECT dataset_uuid, event_order, version_uuid, current_from, verdict, changes::jsonb, refusals::jsonb, fencing::jsonb, history_uuid
FROM unnest(
    %(datasets)s::uuid[], %(places)s::bytea[], %(versions)s::uuid[], %(times)s::timestamptz[], %(verdicts)s::text[],
    %(changes)b::text[], %(refusals)b::text[], %(fencings)b::text[], %(histories)s::uuid[]
) AS judged (
    dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing, history_uuid
)
ORDER BY dataset_uuid, event_order
ON CONFLICT (dataset_uuid, event_order) DO UPDATE SET
    version_uuid = excluded.version_uuid,
    current_from = excluded.current_from,
    verdict = excluded.verdict,
    changes = excluded.changes,
    refusals = excluded.refusals,
    fencing = excluded.fencing,
    history_uuid = excluded.history_uuid
WHERE (
    stored.version_uuid, stored.current_from, stored.verdict, stored.changes, stored.refusals, stored.fencing, stored.history_uuid
) IS DISTINCT FROM (
    excluded.version_uuid, excluded.current_from, excluded.verdict, excluded.changes, excluded.refusals, excluded.fencing,
    excluded.history_uuid
)

-- name: raise_schema_alerts
-- Alerts of the verdicts of some places that are refused, unless they are there. Where one was resolved, or was about something else,
-- it is raised again, at this moment: somebody may have acknowledged it since the merge began.
INSERT INTO dataset_schema_alerts AS stored (
    dataset_uuid, event_order, version_uuid, changed_at, job_namespace, job_name, run_uuid, refusals
)
SELECT
    judged.dataset_uuid, judged.event_order, judged.version_uuid, judged.current_from, run.namespace_name, run.job_name, run.uuid,
    judged.refusals
FROM unnest(%(datasets)s::uuid[], %(places)s::bytea[]) AS written (dataset_uuid, event_order)
JOIN dataset_schema_verdicts AS judged USING (dataset_uuid, event_order)
JOIN dataset_versions AS version ON version.uuid = judged.version_uuid
LEFT JOIN runs AS run ON run.uuid = version.run_uuid
WHERE judged.verdict = 'refused'
ORDER BY judged.dataset_uuid, judged.event_order
ON CONFLICT (dataset_uuid, event_order) DO UPDATE SET
    version_uuid = excluded.version_uuid,
    job_namespace = excluded.job_namespace,
    job_name = excluded.job_name,
    run_uuid = excluded.run_uuid,
    refusals = excluded.refusals,
    raised_at = clock_timestamp(),
    resolved_at = NULL,
    resolution = NULL
WHERE stored.resolved_at IS NOT NULL
   OR (stored.version_uuid, stored.refusals) IS DISTINCT FROM (excluded.version_uuid, excluded.refusals)

-- name: next_part
-- The id of a part that is to be staged.
SELECT nextval('staged_parts_id_seq')

-- name: declare_part
-- Writes how many rows of each table a part has staged.
INSERT INTO staged_parts (part_id, epoch, slice, partition, rows)
VALUES (%(part_id)s, %(epoch)s, %(slice)s, %(partition)s, %(rows)s)

-- name: known_orders
-- Those of the orders of events that the ledger has.
SELECT event_order FROM event_ledger WHERE event_order = ANY (%(orders)b)

-- name: waiting_since
-- When the first of what waits arrived. Events are looked at one by one in the order of their arrival, until one waits: so only
-- keys are sorted, and not the events, however many wait. All below the beginning of the snapshot is done.
SELECT stored.created_at
FROM (
    SELECT arrived_xid, arrival_seq, created_at
    FROM lineage_events
    WHERE arrived_xid >= coalesce(
        (SELECT pg_snapshot_xmin(done)::text::bigint FROM watermarks WHERE name = 'normalize'), 0
    )
    ORDER BY arrived_xid, arrival_seq
) AS stored
CROSS JOIN LATERAL (
    SELECT
    FROM waiting_events
    WHERE arrived_xid = stored.arrived_xid AND arrival_seq = stored.arrival_seq
    LIMIT 1
) AS waiting
LIMIT 1

-- name: checks/open_runs
-- Namespaces with runs that began between a day and a week ago and never ended, though a later run of the same job has.
SELECT format(
    '%s runs of the last week in the namespace %s never ended, though later ones of their jobs did, such as %s of %s',
    count(*), namespace_name, min(external_id COLLATE "C"), min(job_name COLLATE "C")
)
FROM runs
WHERE created_at BETWEEN now() - interval '7 days' AND now() - interval '1 day'
  AND started_at IS NOT NULL
  AND ended_at IS NULL
  AND EXISTS (
      SELECT FROM runs AS later
      WHERE later.job_uuid = runs.job_uuid AND later.started_at > runs.started_at AND later.ended_at IS NOT NULL
  )
GROUP BY namespace_name
ORDER BY namespace_name COLLATE "C"
