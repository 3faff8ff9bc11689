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
