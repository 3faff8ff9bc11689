-- Gives events whose arrival number is none of here a number of here, so that they are read as if they arrived now; returns
-- how many there were. No writer can bring such a number, but the owner can: in a partition that he attaches, or by loading
-- rows while the triggers are off.
--
-- A number that has yet to come shows by itself. One that counts as done does not. So partitions that were attached since the
-- last call are looked through for events that are done by their numbers, and neither in the ledger nor in quarantine.
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
