-- What is asked of the earlier store and of the new one while one is carried over into the other. Nothing here writes into the
-- earlier store, or calls a function that only some states of it have.

-- name: database
-- Which database this is, and how large.
SELECT
    current_database()::text AS name,
    (SELECT oid::bigint FROM pg_database WHERE datname = current_database()) AS oid,
    pg_database_size(current_database()) AS bytes

-- name: database_exists
-- Whether the server has a database of a name.
SELECT EXISTS (SELECT FROM pg_database WHERE datname = %(name)s)

-- name: is_open
-- Whether every login of the cluster may connect to the database.
SELECT has_database_privilege('public', current_database(), 'CONNECT')

-- name: close
-- Lets none connect to a database but its owner and the group roles.
REVOKE CONNECT ON DATABASE {database} FROM PUBLIC;
GRANT CONNECT ON DATABASE {database} TO {roles}

-- name: is_empty
-- Whether a database holds nothing yet.
SELECT NOT EXISTS (SELECT FROM pg_class WHERE relnamespace = 'public'::regnamespace)

-- name: database_of
-- The name that a database has now.
SELECT datname::text FROM pg_database WHERE oid = %(database)s

-- name: end
-- Forgets what is no longer needed once the new store is in place.
DROP SCHEMA IF EXISTS lineage_carry_over CASCADE

-- name: rename
-- Gives a database another name.
ALTER DATABASE {database} RENAME TO {name}

-- name: make_database
-- A database for the new store.
CREATE DATABASE {database} TEMPLATE template0 ENCODING 'UTF8'

-- name: events
-- How many raw events there are, and the bytes of their texts.
SELECT count(*) AS number, coalesce(sum(event_bytes), 0)::bigint AS bytes FROM lineage_events

-- name: archived_months
-- The months of which raw events were archived and deleted.
SELECT to_char(month AT TIME ZONE 'UTC', 'YYYY-MM') FROM archived_event_months ORDER BY month

-- name: relations
-- The tables and views of the store.
SELECT relname::text
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p', 'v', 'm') AND NOT relispartition

-- name: columns
-- The columns of a table, as far as there is one.
SELECT attname::text
FROM pg_attribute
WHERE attrelid = to_regclass(%(table)s) AND attnum > 0 AND NOT attisdropped
ORDER BY attnum

-- name: computed_columns
-- Those that Postgres computes, so that none may write them.
SELECT attname::text
FROM pg_attribute
WHERE attrelid = to_regclass(%(table)s) AND attnum > 0 AND NOT attisdropped AND attgenerated <> ''

-- name: number_of_rows
-- The rows of a table or view.
SELECT count(*) FROM {table}

-- name: functions_exist
-- Whether the earlier store can tell the order of an event, by which its ledger knows it.
SELECT to_regprocedure('public.event_identity(jsonb, timestamptz)') IS NOT NULL
    AND to_regprocedure('public.event_order(bytea, boolean)') IS NOT NULL

-- name: has_horizons
-- Whether retention has deleted runs or versions.
SELECT EXISTS (SELECT FROM retention_horizons)

-- name: purged_events
-- The events of runs that retention has deleted, which a version needs.
SELECT count(*) FROM event_ledger WHERE is_purged

-- name: source_of
-- The earlier store from which this database is filled.
SELECT database FROM lineage_carry_over.source

-- name: begin
-- Where the new store keeps how far it is, beside its own tables.
CREATE SCHEMA lineage_carry_over;
CREATE TABLE lineage_carry_over.source (database bigint NOT NULL);
CREATE TABLE lineage_carry_over.progress (
    events text PRIMARY KEY,
    arrived_xid bigint NOT NULL,
    arrival_seq bigint NOT NULL
);

-- name: note_source
-- Keeps from which database this one is filled.
INSERT INTO lineage_carry_over.source (database) VALUES (%(database)s)

-- name: position
-- Up to which event they were copied, by their arrival in the earlier store; whichever were, as retention may have begun since.
SELECT arrived_xid, arrival_seq FROM lineage_carry_over.progress ORDER BY arrived_xid DESC, arrival_seq DESC LIMIT 1

-- name: move
-- Keeps up to which event was copied, in the transaction that copies them.
INSERT INTO lineage_carry_over.progress (events, arrived_xid, arrival_seq)
VALUES (%(events)s, %(arrived_xid)s, %(arrival_seq)s)
ON CONFLICT (events) DO UPDATE SET arrived_xid = excluded.arrived_xid, arrival_seq = excluded.arrival_seq

-- name: next_events
-- How many the next events behind one are, in order of arrival, and the last of them.
SELECT count(*) OVER () AS number, arrived_xid, arrival_seq
FROM (
    SELECT arrived_xid, arrival_seq
    FROM lineage_events
    WHERE (arrived_xid, arrival_seq) > (%(arrived_xid)s, %(arrival_seq)s)
    ORDER BY arrived_xid, arrival_seq
    LIMIT %(number)s
) AS next
ORDER BY arrived_xid DESC, arrival_seq DESC
LIMIT 1

-- name: events_behind
-- How many events are behind one, in order of arrival.
SELECT count(*) FROM lineage_events WHERE (arrived_xid, arrival_seq) > (%(arrived_xid)s, %(arrival_seq)s)

-- name: copy_events
-- The events between two of them, in order of arrival.
COPY (
    SELECT event_time, event, created_at
    FROM lineage_events AS event
    WHERE (arrived_xid, arrival_seq) > ({after_xid}, {after_seq})
      AND (arrived_xid, arrival_seq) <= ({last_xid}, {last_seq})
      AND {fits}
      AND {chosen}
    ORDER BY arrived_xid, arrival_seq
) TO STDOUT

-- name: chosen/all
true

-- name: chosen/until
-- Events up to one of them, in order of arrival.
(arrived_xid, arrival_seq) <= ({xid}, {seq})

-- name: chosen/certain
-- Events that no horizon of retention can make expired: those that the tables hold, and those behind the last horizon.
(
    event_time >= (SELECT max(before) FROM retention_horizons)
    OR EXISTS (
        SELECT
        FROM event_ledger
        WHERE event_order = ANY (ARRAY[
            public.event_order(public.event_identity(event.event, event.event_time), false),
            public.event_order(public.event_identity(event.event, event.event_time), true)
        ])
    )
)

-- name: chosen/needed
-- Events that retention has not made expired: those from behind the last horizon, those that the ledger holds, those that came
-- before retention was applied last, and those of deleted runs of which a mention is left.
(
    event_time >= (SELECT max(before) FROM retention_horizons)
    OR created_at < (SELECT max(started_at) FROM retention_reports)
    OR EXISTS (
        SELECT
        FROM (
            VALUES
                (public.event_order(public.event_identity(event.event, event.event_time), false)),
                (public.event_order(public.event_identity(event.event, event.event_time), true))
        ) AS known (event_order)
        WHERE EXISTS (SELECT FROM event_ledger AS kept WHERE kept.event_order = known.event_order)
           OR known.event_order IN (SELECT kept.event_order FROM dataset_mentions AS kept WHERE kept.is_purged)
           OR known.event_order IN (SELECT kept.event_order FROM parent_mentions AS kept WHERE kept.is_purged)
    )
)

-- name: chosen/passed
-- Events that the watermark of normalization has passed: what the tables hold follows from them.
(
    tableoid = ANY ((SELECT public.known_event_partitions())::oid[])
    AND EXISTS (
        SELECT
        FROM watermarks AS mark
        WHERE mark.name = 'normalize'
          AND public.is_passed(arrived_xid, arrival_seq, mark.done, mark.target, mark.cursor_xid, mark.cursor_seq)
    )
)

-- name: fits
-- Whether the new store may hold the event, as the first states had no such limits, and is to have it now.
(
    event_bytes <= {longest}
    AND event_time BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00'
    AND {chosen}
)

-- name: unfit_events
-- The events that it may not hold, without those whose document is too long for the quarantine, too.
SELECT event::text AS document, 'its time is ' || event_time::text AS reason
FROM lineage_events
WHERE NOT {fits} AND event_bytes <= {longest}

-- name: too_long_events
-- How many documents are longer than any table takes.
SELECT count(*) FROM lineage_events WHERE event_bytes > {longest}

-- name: quarantine_unfit
-- Puts such a document where nothing is lost.
INSERT INTO quarantine (reason, path, raw, source)
VALUES (%(reason)s, '$.eventTime', convert_to(%(document)s, 'UTF8'), 'lineage_events')
ON CONFLICT (digest) DO NOTHING

-- name: sums_of_months
-- For each month of event time, how many events there are, and a sum of what they say and when they were received.
SELECT
    date_trunc('month', event_time, 'UTC')::text AS month,
    count(*) AS number,
    sum(hashtextextended(concat_ws(' ', event_time, created_at, event), 0))::text AS digest
FROM lineage_events
WHERE {fits}
GROUP BY 1

-- name: events_of_month
-- The events of a month, each by a number that follows from it; equal ones are counted.
SELECT hashtextextended(concat_ws(' ', event_time, created_at, event), 0) AS digest, count(*) AS number
FROM lineage_events
WHERE {fits} AND event_time >= %(month)s::timestamptz AND event_time < %(month)s::timestamptz + interval '1 month'
GROUP BY 1

-- name: copy_missing
-- The events of a month that the new store has not, or not so often.
COPY (
    SELECT event_time, event, created_at
    FROM (
        SELECT
            *,
            hashtextextended(concat_ws(' ', event_time, created_at, event), 0) AS digest,
            row_number() OVER (
                PARTITION BY hashtextextended(concat_ws(' ', event_time, created_at, event), 0)
                ORDER BY arrived_xid, arrival_seq
            ) AS copy
        FROM lineage_events
        WHERE {fits} AND event_time >= {month}::timestamptz AND event_time < {month}::timestamptz + interval '1 month'
    ) AS event
    JOIN unnest({digests}::bigint[], {numbers}::bigint[]) AS missing (digest, number) USING (digest)
    WHERE copy > missing.number
    ORDER BY arrived_xid, arrival_seq
) TO STDOUT

-- name: take_events
-- Takes events as they came. Numbers of arrival are given anew, in their order.
COPY lineage_events (event_time, event, created_at) FROM STDIN

-- name: copy_rows
-- All rows of a table, of some of its columns.
COPY (SELECT {columns} FROM {table}) TO STDOUT

-- name: make_taken
-- Where rows are put before it is known which of them are new.
CREATE TEMP TABLE lineage_taken ON COMMIT DROP AS SELECT {columns} FROM {table} WITH NO DATA

-- name: take_rows
-- Takes them there.
COPY pg_temp.lineage_taken ({columns}) FROM STDIN

-- name: keep_rows
-- Keeps the rows that are not there, numbers of theirs included.
INSERT INTO {table} ({columns}) OVERRIDING SYSTEM VALUE
SELECT {columns} FROM pg_temp.lineage_taken WHERE {place} ORDER BY ctid
ON CONFLICT DO NOTHING

-- name: keep_history
-- Keeps the rows that are not there, behind those that are: the last of them is what counts.
INSERT INTO {table} ({columns})
SELECT {columns}
FROM (SELECT {columns}, ctid AS place FROM pg_temp.lineage_taken WHERE {place}) AS taken
WHERE NOT EXISTS (SELECT FROM {table} AS known WHERE to_jsonb(known) @> to_jsonb(taken) - 'place')
ORDER BY place

-- name: places
-- Each row that was taken, by its place.
SELECT ctid::text FROM pg_temp.lineage_taken ORDER BY ctid

-- name: numbered_columns
-- Columns of a table that a sequence numbers.
SELECT attname::text
FROM pg_attribute
WHERE attrelid = to_regclass(%(table)s) AND attnum > 0
  AND pg_get_serial_sequence(attrelid::regclass::text, attname) IS NOT NULL

-- name: number_on
-- Lets the next number be behind all that are there.
SELECT setval(pg_get_serial_sequence(%(table)s, %(column)s), greatest(max({column}), 1), count(*) > 0) FROM {table}
