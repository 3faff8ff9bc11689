-- Raw events: their order, their arrival.

-- name: event_identity
-- The order of an event without its first byte, the verdict whether it lay ahead: time, rank, digest. `event_time` is that of
-- the event, as lineage_events.event_time has it. Agrees with lineage_core.openlineage.events.Event.identity.
CREATE OR REPLACE FUNCTION event_identity(event jsonb, event_time timestamptz) RETURNS bytea
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = public, pg_temp
SET standard_conforming_strings = on
AS $$
DECLARE
    rank integer := lifecycle_rank(event ->> 'eventType');
BEGIN
    rank := CASE WHEN rank = ending_rank() AND event_kind(event) <> 'RUN_EVENT' THEN running_rank() ELSE rank END;
    RETURN int8send(microseconds(event_time) # (-9223372036854775808))
        || set_byte('\x00', 0, rank)
        || substr(sha256(convert_to(event::text, 'UTF8')), 1, 16);
END
$$;

-- name: event_kind
-- What an event speaks of, by the last part of its schemaURL: as lineage_core.openlineage.events.Kind has it.
CREATE OR REPLACE FUNCTION event_kind(event jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE substring((event ->> 'schemaURL') COLLATE "C" FROM '[^/]*$')
    WHEN 'DatasetEvent' THEN 'DATASET_EVENT'
    WHEN 'JobEvent' THEN 'JOB_EVENT'
    ELSE 'RUN_EVENT'
END;

-- name: event_key
-- The key of an event in a plan of retention: the first half of the SHA-256 of its order.
CREATE OR REPLACE FUNCTION event_key(event_order bytea) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN encode(substr(sha256(event_order), 1, 16), 'hex')::uuid;

-- name: check_handed_in_event
-- What whoever only hands in events may say of one is the document, and its time as the document has it: by that the row has
-- found its partition. A row of any other time goes to quarantine instead; the rows beside it go on.
CREATE OR REPLACE FUNCTION check_handed_in_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO, YMD'
AS $$
BEGIN
    NEW.created_at := now();
    IF NEW.event_time = public.event_instant(NEW.event ->> 'eventTime') THEN
        RETURN NEW;
    END IF;
    INSERT INTO public.quarantine (reason, path, raw, source)
    VALUES (
        format('event_time is %s, which is not what the document says', coalesce(NEW.event_time::text, 'null')),
        '$.eventTime', convert_to(NEW.event::text, 'UTF8'), 'lineage_events'
    )
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;

-- name: describe_arrival
-- What the server alone says of an event, whoever stores it and whatever he says: the number of its arrival, by which runs
-- know what is done, and the columns that follow from the document, as Marquez fills them.
--
-- A number from elsewhere would hide the event, or stop every run, so none gets in: not by COPY out of a dump, by INSERT out
-- of another store, or by logical replication. Only a function that moves rows to another partition keeps theirs, by a setting
-- of its own; it does not help who may not write a number in the first place, as then the row has none.
CREATE OR REPLACE FUNCTION describe_arrival() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_setting('lineage.moves_events', true) = 'on' THEN
        RETURN NEW;
    END IF;
    NEW.arrived_xid := pg_current_xact_id()::text::bigint;
    NEW.arrival_seq := nextval('public.lineage_events_arrival_seq');
    NEW._event_type := public.event_kind(NEW.event);
    NEW.producer := NEW.event ->> 'producer';
    NEW.event_type := NULL;
    NEW.run_uuid := NULL;
    NEW.job_namespace := NULL;
    NEW.job_name := NULL;
    IF NEW._event_type = 'RUN_EVENT' THEN
        NEW.event_type := coalesce(NEW.event ->> 'eventType', '');
        NEW.run_uuid := public.run_uuid(NEW.event #>> '{run,runId}');
    END IF;
    IF NEW._event_type <> 'DATASET_EVENT' THEN
        NEW.job_namespace := NEW.event #>> '{job,namespace}';
        NEW.job_name := NEW.event #>> '{job,name}';
    END IF;
    RETURN NEW;
END
$$;

-- name: is_passed
-- Whether a watermark has passed the event of an arrival number: what it says of one that has none of here is no.
CREATE OR REPLACE FUNCTION is_passed(
    arrived_xid bigint, arrival_seq bigint, done pg_snapshot, target pg_snapshot, cursor_xid bigint, cursor_seq bigint
)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(
    arrived_xid > 0
    AND (
        pg_visible_in_snapshot(arrived_xid::text::xid8, done)
        OR (
            pg_visible_in_snapshot(arrived_xid::text::xid8, target)
            AND (arrived_xid, arrival_seq) <= (cursor_xid, cursor_seq)
        )
    ),
    false
);

-- name: renumber_foreign_events
-- Gives events whose arrival number is none of here a number of here, so that they are read as if they arrived now; returns
-- how many there were. No writer can bring such a number, but the owner can: in a partition that he attaches, or by loading
-- rows while the triggers are off.
--
-- A number that has yet to come shows by itself. One that counts as done does not. So partitions that were attached since the
-- last call are looked through for events that are done by their numbers, and neither in the ledger nor in quarantine, nor
-- discarded.
CREATE OR REPLACE FUNCTION renumber_foreign_events() RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
SET standard_conforming_strings = on
AS $$
DECLARE
    attached text[] := public.event_partitions();
    mark record;
    unknown regclass;
    highest bigint;
    changed bigint;
    renumbered bigint := 0;
BEGIN
    -- The highest is one look into an index, whatever the planner knows.
    SELECT max(arrived_xid) INTO highest FROM public.lineage_events;
    IF highest >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint THEN
        UPDATE public.lineage_events
        SET arrived_xid = pg_current_xact_id()::text::bigint, arrival_seq = nextval('public.lineage_events_arrival_seq')
        WHERE arrived_xid >= pg_snapshot_xmax(pg_current_snapshot())::text::bigint;
        GET DIAGNOSTICS renumbered = ROW_COUNT;
    END IF;

    SELECT
        partitions, done, target, cursor_xid, cursor_seq,
        pg_snapshot_xmax(done)::text::bigint AS end_of_done,
        ARRAY(SELECT pg_snapshot_xip(done)::text::bigint) AS open_then
    INTO mark
    FROM public.watermarks WHERE name = 'normalize';

    FOR unknown IN
        SELECT split_part(partition, ':', 1)::oid FROM unnest(attached) AS partition
        WHERE partition <> ALL (mark.partitions)
    LOOP
        EXECUTE format(
            'UPDATE %s AS event
            SET arrived_xid = pg_current_xact_id()::text::bigint, arrival_seq = nextval(%L)
            WHERE (
                arrived_xid < $1 AND arrived_xid <> ALL ($2)
                OR CASE WHEN arrived_xid > 0 AND (arrived_xid, arrival_seq) <= ($4, $5)
                    THEN pg_visible_in_snapshot(arrived_xid::text::xid8, $3)
                END
            )
            AND NOT EXISTS (
                SELECT FROM public.event_identity(event.event, event.event_time) AS identity
                JOIN public.event_ledger
                    ON event_order = ANY (ARRAY[event_order(identity, false), event_order(identity, true)])
            )
            AND NOT EXISTS (
                SELECT FROM public.quarantine WHERE digest = sha256(convert_to(event.event::text, ''UTF8''))
            )
            AND NOT EXISTS (
                SELECT FROM public.discarded_documents WHERE digest = sha256(convert_to(event.event::text, ''UTF8''))
            )',
            unknown, 'public.lineage_events_arrival_seq'
        ) USING mark.end_of_done, mark.open_then, mark.target, mark.cursor_xid, mark.cursor_seq;
        GET DIAGNOSTICS changed = ROW_COUNT;
        renumbered := renumbered + changed;
    END LOOP;

    UPDATE public.watermarks SET partitions = attached
    WHERE name = 'normalize' AND partitions IS DISTINCT FROM attached;
    RETURN renumbered;
END
$$;

-- name: first_order_at
-- The order that comes before those of all events of a point in time, and behind those of all earlier ones; of events that were not
-- ahead of their receipt. See event_order and event_identity.
CREATE OR REPLACE FUNCTION first_order_at(instant timestamptz) RETURNS bytea
LANGUAGE sql STABLE STRICT PARALLEL SAFE
AS $$ SELECT decode('01', 'hex') || int8send(public.microseconds(instant) # (-9223372036854775808)) $$;
