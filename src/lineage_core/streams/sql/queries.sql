-- name: waiting_raw_events
-- How many raw events have arrived that the snapshot of what is published does not see, up to some number.
SELECT count(*)
FROM (SELECT FROM ({events}) AS arrived LIMIT %(most)s) AS waiting

-- name: waiting_changes
-- How many changes of a table the snapshot of what is published does not see, up to some number.
SELECT count(*)
FROM (
    SELECT
    FROM {changes} AS changed
    WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
    LIMIT %(most)s
) AS waiting

-- name: forget_changes
-- Removes the changes of a table that every stream has published which needs them; all of them, if none is on.
DELETE FROM {changes} AS changed
WHERE NOT EXISTS (
    SELECT
    FROM streams
    LEFT JOIN stream_heads AS head ON head.stream = streams.name AND head.started_xid = streams.started_xid
    WHERE streams.name = ANY (%(streams)s)
      AND (head.published IS NULL OR NOT pg_visible_in_snapshot(changed.change_xid, head.published))
)

-- name: forget_foreign
-- Removes all changes of a table, if the head of a stream that needs them is of another cluster: their transactions are, too.
DELETE FROM {changes} AS changed
WHERE EXISTS (
    SELECT
    FROM stream_heads AS head
    CROSS JOIN pg_control_system() AS here
    WHERE head.stream = %(stream)s AND head.system_identifier <> here.system_identifier
)

-- name: no_commits
-- No transaction: what is there is read where it is.
SELECT NULL::xid8 AS xid, NULL::bigint AS number
WHERE false

-- name: published_images
-- What the records that are published say is there, to be taken away from what is.
SELECT 0::bigint AS commit_number, CASE WHEN op IN (0, 3) THEN -1 ELSE 1 END AS copies, event_time, {columns}
FROM published_records

-- name: taken_away
-- Images with the opposite sign, as of one transaction.
SELECT 0::bigint AS commit_number, -copies AS copies, event_time, {columns}
FROM ({images}) AS images

-- name: differences
-- How many rows only the table has, and how many only the stream, but for the changes that wait to be published.
WITH commits AS MATERIALIZED ({commits}),
images AS ({images}),
net AS (
    SELECT sum(copies) AS copies
    FROM images
    GROUP BY event_time, {columns}
    HAVING sum(copies) <> 0
)
SELECT
    coalesce(sum(copies) FILTER (WHERE copies > 0), 0)::bigint AS only_in_table,
    coalesce(-sum(copies) FILTER (WHERE copies < 0), 0)::bigint AS only_in_stream
FROM net

-- name: records
-- The records of a stream: for each transaction the net change of each row, in the order of the transactions. Where a row of a key
-- came and another went, the one corrects the other.
WITH commits AS MATERIALIZED ({commits}),
images AS ({images}),
net AS (
    SELECT commit_number, event_time, {columns}, sum(copies)::integer AS copies
    FROM images
    GROUP BY commit_number, event_time, {columns}
    HAVING {is_changed}
),
records AS (
    SELECT net.*, {operation} AS op
    FROM net
    CROSS JOIN LATERAL generate_series(1, abs(copies))
)
SELECT commit_number, op, event_time, {columns}
FROM records
ORDER BY commit_number, {place}

-- name: images
-- Images of rows as records have them, with how many of each came, or went.
SELECT commit_number, copies, {event_time} AS event_time, {columns}
FROM ({rows}) AS changed

-- name: images_of_table
-- The rows of a stream that are those of one table.
SELECT commit_number, copies, {columns}
FROM {table} AS changed

-- name: rows_there
-- What a table has, as if one transaction had brought it.
SELECT 0::bigint AS commit_number, 1 AS copies, {columns}
FROM {table} AS there

-- name: changed_rows
-- What came to a table, or went from it, in the transactions that are to be published.
SELECT commits.number AS commit_number, changed.copies, {columns}
FROM {changes} AS changed
JOIN commits ON commits.xid = changed.change_xid

-- name: raw_events
-- Raw events that the snapshot of what is published does not see. Nothing else adds to the table, so it is the log of its changes.
SELECT arrived_xid AS commit_number, 1 AS copies, {columns}
FROM {table} AS arrived
WHERE arrived_xid >= pg_snapshot_xmin(%(published)s::pg_snapshot)::text::bigint
  AND arrived_xid < pg_snapshot_xmax(pg_current_snapshot())::text::bigint
  AND pg_visible_in_snapshot(arrived_xid::text::xid8, pg_current_snapshot())
  AND NOT pg_visible_in_snapshot(arrived_xid::text::xid8, %(published)s::pg_snapshot)

-- name: contents
-- The rows of a table whose rows never change, those too that have been removed and that changes may still name.
SELECT {columns}
FROM {table}
UNION ALL
SELECT DISTINCT {names}
FROM {changes} AS removed
WHERE NOT EXISTS (SELECT FROM {table} AS stored WHERE ({stored_key}) = ({removed_key}))

-- name: commits
-- The transactions that the snapshot of what is published does not see, in an order in which they may have committed: of two that
-- changed the same row, the second ended a statement when the first was over.
SELECT change_xid AS xid, max(change_number) AS number
FROM ({changes}) AS changed
WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
GROUP BY change_xid

-- name: checkpoint
-- The last checkpoint of a stream.
SELECT
    next_offset, schema_id, path, rows, bytes, encode(sha256, 'hex') AS physical_hash, is_ordered, reordered_by
FROM stream_checkpoints
WHERE stream = %(stream)s

-- name: published_from
-- The streams that have been published, and whether from this cluster. Those of a database that was restored here may still be
-- published from where it was.
SELECT head.stream AS name, head.system_identifier = here.system_identifier AS is_here
FROM stream_heads AS head
CROSS JOIN pg_control_system() AS here
ORDER BY head.stream COLLATE "C"

-- name: fragmented
-- The streams of which very many small files lie side by side, and how many.
SELECT stream AS name, count(*) AS small_parts
FROM stream_parts
WHERE bytes < %(small)s
GROUP BY stream
HAVING count(*) >= %(many)s
ORDER BY stream COLLATE "C"

-- name: remove_parts
-- Takes files out of a stream. They stay where they are for a while: a reader may just have got their names.
WITH removed AS (
    DELETE FROM stream_parts
    WHERE stream = %(stream)s AND path = ANY (%(paths)s)
    RETURNING stream, path, bytes
)
INSERT INTO removed_stream_files (stream, path, bytes)
SELECT stream, path, bytes
FROM removed

-- name: remove_checkpoint
-- Takes the checkpoint of a stream away, if it is this one.
WITH removed AS (
    DELETE FROM stream_checkpoints
    WHERE stream = %(stream)s AND path = %(path)s
    RETURNING stream, path, bytes
)
INSERT INTO removed_stream_files (stream, path, bytes)
SELECT stream, path, bytes
FROM removed

-- name: add_checkpoint
-- The checkpoint of a stream, unless it has another.
INSERT INTO stream_checkpoints (
    stream, next_offset, schema_id, path, rows, bytes, sha256, is_ordered, reordered_by, epoch
)
VALUES (
    %(stream)s,
    %(next_offset)s,
    %(schema_id)s,
    %(path)s,
    %(rows)s,
    %(bytes)s,
    decode(%(physical_hash)s, 'hex'),
    %(is_ordered)s,
    %(reordered_by)s,
    %(epoch)s
)
ON CONFLICT (stream) DO NOTHING

-- name: head
-- How far a stream is published. The version is that of the row itself: one that was moved, or restored by a dump, has another.
SELECT
    stream,
    started_xid,
    waits_for,
    published::text AS published,
    next_offset,
    schema_id,
    system_time,
    xmin::text::bigint AS version
FROM stream_heads
WHERE stream = %(stream)s

-- name: position
-- How far a stream is published, and the id of its latest schema.
SELECT
    coalesce((SELECT next_offset FROM stream_heads WHERE stream = %(stream)s), 0) AS next_offset,
    (SELECT max(schema_id) FROM stream_schemas WHERE stream = %(stream)s) AS schema_id

-- name: next_offsets
-- How far each stream is published that has records.
SELECT stream, next_offset
FROM stream_heads
WHERE next_offset > 0
ORDER BY stream COLLATE "C"

-- name: parts
-- The files of a stream, in the order of their offsets.
SELECT
    start_offset,
    end_offset,
    schema_id,
    path,
    bytes,
    encode(sha256, 'hex') AS physical_hash,
    encode(logical_hash, 'hex') AS logical_hash,
    commit_ends
FROM stream_parts
WHERE stream = %(stream)s
ORDER BY start_offset

-- name: snapshot
-- What this transaction sees, and the time.
SELECT pg_current_snapshot()::text AS seen, date_trunc('milliseconds', clock_timestamp()) AS at

-- name: export_moment
-- The snapshot of this transaction, for others to take, and the system time of what is published of it: it never goes back.
SELECT
    pg_export_snapshot() AS snapshot,
    greatest(
        date_trunc('milliseconds', clock_timestamp()),
        (SELECT max(system_time) FROM stream_heads),
        (SELECT max(known_until) FROM stream_publications)
    ) AS system_time

-- name: extend_publication
-- What was known by the last publication is known until a moment, if that is of the same streams, and nothing was published
-- since: a publisher that was killed may have moved heads, and not have kept when.
UPDATE stream_publications
SET known_until = %(at)s, epoch = %(epoch)s
WHERE system_time = (SELECT max(system_time) FROM stream_publications)
  AND streams = %(streams)s::text[]
  AND NOT EXISTS (SELECT FROM stream_heads AS head WHERE head.system_time > stream_publications.system_time)

-- name: add_publication
-- What is known from a moment on. Streams that are off before anything was published are not worth a row.
INSERT INTO stream_publications (system_time, known_until, streams, epoch)
SELECT %(at)s, %(at)s, %(streams)s::text[], %(epoch)s
WHERE cardinality(%(streams)s::text[]) > 0 OR EXISTS (SELECT FROM stream_publications)
ON CONFLICT (system_time) DO UPDATE
SET known_until = excluded.known_until, streams = excluded.streams, epoch = excluded.epoch

-- name: publication_by
-- The last publication by a moment; the last of all without one.
SELECT
    system_time, known_until, streams,
    system_time = (SELECT max(system_time) FROM stream_publications) AS is_last
FROM stream_publications
WHERE %(moment)s::timestamptz IS NULL OR system_time <= %(moment)s
ORDER BY system_time DESC
LIMIT 1

-- name: whole_from
-- From when on, behind a moment, these streams are all published; null if that is not so yet.
SELECT min(system_time) FROM stream_publications WHERE system_time > %(moment)s AND streams @> %(streams)s::text[]

-- name: known/ready_streams
-- The streams that are on, and of which all that was there at their start is published, by this cluster and in their latest schema.
SELECT streams.name
FROM streams
JOIN stream_heads AS head ON head.stream = streams.name AND head.started_xid = streams.started_xid
CROSS JOIN pg_control_system() AS here
WHERE head.published IS NOT NULL
  AND head.system_identifier = here.system_identifier
  AND head.schema_id = (SELECT max(schema_id) FROM stream_schemas WHERE stream = streams.name)

-- name: known/make_changed
-- For what has changed of a table since a publication: each image in its place, and whether it was there before that.
CREATE TEMP TABLE {changed} ON COMMIT DROP AS
SELECT 0::bigint AS place, true AS was_there, {columns}
FROM {table}
WHERE false

-- name: known/unpublished
-- What has changed and is not published yet, which is behind all that is: the net of it.
INSERT INTO {changed} (place, was_there, {columns})
SELECT 9223372036854775807, sum(copies) < 0, {columns}
FROM {changes}
WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
GROUP BY {columns}
HAVING sum(copies) <> 0

-- name: known/index_changed
-- Each row of the table is looked for in what has changed.
CREATE INDEX ON {changed} ({key})

-- name: known/rows_then
-- The rows that were there and are no longer, or are others now: of each key the first image says.
CREATE TEMP TABLE {gone} ON COMMIT DROP AS
SELECT {columns}
FROM (
    SELECT DISTINCT ON ({in_order}) was_there, {columns}
    FROM {changed}
    ORDER BY {in_order}, place, was_there DESC
) AS first_image
WHERE was_there

-- name: known/view
-- The table as it was: what has not changed since, and what was there in the place of what has.
CREATE TEMP VIEW {view} AS
SELECT {columns}
FROM (
    SELECT {columns}, true AS is_stored FROM {table}
    UNION ALL
    SELECT {columns}, false FROM {gone}
) AS kept
WHERE NOT is_stored OR NOT EXISTS (SELECT FROM {changed} AS changed WHERE ({changed_key}) = ({row_key}))

-- name: begin_head
-- The head of a stream that was started, or is to begin anew: with another start, in another cluster, or with another schema. A
-- transaction that may not have seen the start has a number below `waits_for`, or a snapshot of before it.
INSERT INTO stream_heads AS head (stream, started_xid, waits_for, system_identifier, schema_id, epoch)
SELECT
    %(stream)s,
    %(started_xid)s,
    pg_snapshot_xmax(pg_current_snapshot())::text::bigint,
    here.system_identifier,
    latest.schema_id,
    %(epoch)s
FROM pg_control_system() AS here
CROSS JOIN (SELECT max(schema_id) AS schema_id FROM stream_schemas WHERE stream = %(stream)s) AS latest
ON CONFLICT (stream) DO UPDATE
SET started_xid = excluded.started_xid,
    waits_for = excluded.waits_for,
    published = NULL,
    system_identifier = excluded.system_identifier,
    schema_id = excluded.schema_id,
    epoch = excluded.epoch,
    updated_at = now()
WHERE (head.started_xid, head.system_identifier, head.schema_id)
    IS DISTINCT FROM (excluded.started_xid, excluded.system_identifier, excluded.schema_id)

-- name: is_renumbered
-- Whether arrival numbers are those of this cluster: after a restore, normalization gives new ones to all events, which would count
-- as events that have come since.
SELECT NOT EXISTS (
    SELECT
    FROM watermarks
    CROSS JOIN pg_control_system() AS here
    WHERE name = 'normalize'
      AND (watermarks.system_identifier <> here.system_identifier OR done::text = %(nothing)s)
)

-- name: is_settled
-- Whether every transaction has ended that may have missed the start of a stream: those with a number, and those that only have a
-- snapshot yet.
SELECT
    pg_snapshot_xmin(pg_current_snapshot())::text::bigint >= %(waits_for)s
    AND NOT EXISTS (
        SELECT
        FROM pg_stat_activity
        WHERE pid <> pg_backend_pid()
          AND datname = current_database()
          AND backend_xmin IS NOT NULL
          AND age(backend_xmin) > age((%(waits_for)s)::text::xid8::xid)
    )

-- name: not_moved
-- The streams that are on and whose heads have not moved for a day. Null where the head does not belong to this start.
SELECT streams.name, head.published::text AS published
FROM streams
LEFT JOIN stream_heads AS head ON head.stream = streams.name AND head.started_xid = streams.started_xid
WHERE streams.started_at < now() - interval '1 day'
  AND coalesce(head.updated_at, '-infinity') < now() - interval '1 day'
ORDER BY streams.name COLLATE "C"

-- name: move_head
-- Moves the head behind what was written, unless it has moved since that was begun, or the schema of the stream has evolved.
UPDATE stream_heads
SET next_offset = %(next_offset)s,
    published = %(seen)s::pg_snapshot,
    system_time = coalesce(%(system_time)s, system_time),
    epoch = %(epoch)s,
    updated_at = now()
WHERE stream = %(stream)s
  AND started_xid = %(started_xid)s
  AND schema_id = %(schema_id)s
  AND schema_id = (SELECT max(schema_id) FROM stream_schemas WHERE stream = %(stream)s)
  AND next_offset = %(start_offset)s
  AND published::text IS NOT DISTINCT FROM (%(published)s)::text

-- name: add_part
-- A file that belongs to a stream from now on.
INSERT INTO stream_parts (
    stream, start_offset, end_offset, schema_id, path, bytes, sha256, logical_hash, commit_ends, epoch
)
VALUES (
    %(stream)s,
    %(start_offset)s,
    %(end_offset)s,
    %(schema_id)s,
    %(path)s,
    %(bytes)s,
    decode(%(physical_hash)s, 'hex'),
    decode(%(logical_hash)s, 'hex'),
    %(commit_ends)s::bigint[],
    %(epoch)s
)

-- name: root
-- The root of the streams.
SELECT root_id::text AS root_id, url, publication
FROM stream_roots
WHERE name = 'streams'

-- name: claim_root
-- Makes a root that of the streams, unless there is one. Waits for who is about to do the same.
INSERT INTO stream_roots (name, root_id, url)
VALUES ('streams', %(root_id)s::uuid, %(url)s)
ON CONFLICT (name) DO NOTHING

-- name: set_root
-- Makes a root that of the streams, whichever was before.
INSERT INTO stream_roots AS known (name, root_id, url)
VALUES ('streams', %(root_id)s::uuid, %(url)s)
ON CONFLICT (name) DO UPDATE
SET root_id = excluded.root_id,
    url = excluded.url,
    publication = NULL,
    updated_at = now()

-- name: begin_publication
-- Gives a publication its number, before it moves a head.
UPDATE stream_roots
SET publication = pg_current_xact_id()::text::bigint,
    url = %(url)s,
    updated_at = now()
WHERE name = 'streams'
RETURNING publication

-- name: catalog_files
-- The files that a stream consists of: its parts, and its checkpoint.
SELECT path
FROM (
    SELECT path FROM stream_parts WHERE stream = %(stream)s
    UNION ALL
    SELECT path FROM stream_checkpoints WHERE stream = %(stream)s
) AS files
ORDER BY path COLLATE "C"

-- name: schemas
-- The schemas of a stream, in their order.
SELECT schema_id, migration_type, key
FROM stream_schemas
WHERE stream = %(stream)s
ORDER BY schema_id

-- name: readers
-- Who reads a stream, by name.
SELECT reader, schema_id, columns
FROM stream_readers
WHERE stream = %(stream)s
ORDER BY reader COLLATE "C"

-- name: policy
-- What the evolution of a stream's schema may do to its readers; no row if it is not set.
SELECT allow
FROM stream_policies
WHERE stream = %(stream)s

-- name: lock_schemas
-- Until the end of the transaction no one else evolves this stream, sets what its evolution may do, or registers a reader of it.
SELECT pg_advisory_xact_lock(hashtextextended(%(stream)s, 5411769100238117002))

-- name: remove_policy
-- Evolution may do anything permitted again.
DELETE FROM stream_policies
WHERE stream = %(stream)s

-- name: add_policy
-- What the evolution of a stream's schema may do to its readers.
INSERT INTO stream_policies (stream, allow)
VALUES (%(stream)s, %(allow)s)

-- name: add_reader
-- What a reader reads of a stream; null is every column of the schema that it was written for.
INSERT INTO stream_readers (stream, reader, schema_id, columns)
VALUES (%(stream)s, %(reader)s, %(schema_id)s, %(columns)s::text[])

-- name: remove_reader
-- Forgets a reader.
DELETE FROM stream_readers
WHERE stream = %(stream)s AND reader = %(reader)s

-- name: add_schema
-- The next schema of a stream, unless another is.
INSERT INTO stream_schemas (stream, schema_id, migration_type, key)
VALUES (%(stream)s, %(schema_id)s, %(migration_type)s::jsonb, %(key)s::text[])
ON CONFLICT (stream, schema_id) DO NOTHING

-- name: reclaim_files
-- Files that were to be deleted belong to a stream again: a run has written them once more. How many of them may be gone already.
WITH reclaimed AS (
    DELETE FROM removed_stream_files
    WHERE path = ANY (%(paths)s)
    RETURNING deleted_at
)
SELECT count(*)
FROM reclaimed
WHERE deleted_at IS NOT NULL

-- name: known_files
-- The files of a stream, those too that are to be deleted.
SELECT path
FROM stream_parts
WHERE stream = %(stream)s
UNION ALL
SELECT path
FROM stream_checkpoints
WHERE stream = %(stream)s
UNION ALL
SELECT path
FROM removed_stream_files
WHERE stream = %(stream)s

-- name: add_orphans
-- Files that belong to no stream, as an interrupted run leaves them, are to be deleted.
INSERT INTO removed_stream_files (stream, path)
SELECT %(stream)s, path
FROM unnest(%(paths)s::text[]) AS found (path)
ON CONFLICT (path) DO NOTHING

-- name: mark_deleted
-- Files whose grace time is over may be deleted from now on. None that belongs to a stream is among them.
UPDATE removed_stream_files AS removed
SET deleted_at = now()
WHERE removed.stream = %(stream)s
  AND removed.deleted_at IS NULL
  AND removed.removed_at <= now() - make_interval(secs => %(grace)s)
  AND NOT EXISTS (SELECT FROM stream_parts AS part WHERE part.path = removed.path)
  AND NOT EXISTS (SELECT FROM stream_checkpoints AS made WHERE made.path = removed.path)

-- name: deletable_files
-- Files that may be deleted, or are gone already.
SELECT path
FROM removed_stream_files
WHERE stream = %(stream)s AND deleted_at IS NOT NULL
ORDER BY path COLLATE "C"

-- name: forget_deleted
-- Files that are gone for as long as the grace time: no one writes them who has seen them there.
DELETE FROM removed_stream_files
WHERE path = ANY (%(paths)s) AND deleted_at <= now() - make_interval(secs => %(grace)s)

-- name: lock_head
-- Keeps a publication from adding files to a stream until the transaction ends.
SELECT stream
FROM stream_heads
WHERE stream = %(stream)s
FOR UPDATE

-- name: start
-- Turns a stream on, unless it is on: from when this transaction has ended, its changes are captured.
INSERT INTO streams (name)
VALUES (%(stream)s)
ON CONFLICT (name) DO NOTHING

-- name: stop
-- Turns a stream off. What is published stays.
DELETE FROM streams
WHERE name = %(stream)s

-- name: started
-- The streams that are on.
SELECT name, started_by, started_at, started_xid
FROM streams
ORDER BY name COLLATE "C"
