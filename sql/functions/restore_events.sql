-- Puts archived events back as they came: document, time and receipt. Each gets a new arrival number, so normalization finds it.
-- All are noted as restored under a hold, also those that are there. `copies` says the how many-eth of equal ones each is: one that
-- is still there, or again, is not doubled. How many came back.
CREATE OR REPLACE FUNCTION restore_events(
    hold bigint, events text[], event_times timestamptz[], created_ats timestamptz[], copies integer[]
)
RETURNS integer
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    restored integer;
BEGIN
    PERFORM pg_advisory_xact_lock(5411769100238117003);  -- one at a time, so that no two put back the same event
    IF NOT EXISTS (SELECT FROM retention_holds_in_force AS held WHERE held.id = hold AND held.manifest IS NOT NULL) THEN
        RAISE EXCEPTION 'hold % is not in force, or is not about restored events', hold USING ERRCODE = 'invalid_parameter_value';
    END IF;
    DELETE FROM retention_restored_events AS restored
    USING retention_hold_releases AS released
    WHERE released.hold = restored.hold;
    INSERT INTO retention_restored_events (identity, hold)
    SELECT event_identity(given.event::jsonb, given.event_time), hold
    FROM unnest(events, event_times) AS given (event, event_time)
    ON CONFLICT DO NOTHING;
    INSERT INTO lineage_events (event_time, event, created_at)
    SELECT archived.event_time, archived.event, archived.created_at
    FROM (
        SELECT given.event::jsonb, given.event_time, given.created_at, given.copy, place
        FROM unnest(events, event_times, created_ats, copies)
            WITH ORDINALITY AS given (event, event_time, created_at, copy, place)
        OFFSET 0
    ) AS archived
    WHERE (
        SELECT count(*)
        FROM lineage_events AS stored
        WHERE stored.event_time = archived.event_time
          AND stored.created_at IS NOT DISTINCT FROM archived.created_at
          AND stored.event_bytes = octet_length(archived.event::text)
          AND stored.event::text = archived.event::text  -- 1.0 and 1.00 are equal as values, and two events
    ) < archived.copy
    ORDER BY archived.place;
    GET DIAGNOSTICS restored = ROW_COUNT;
    RETURN restored;
END
$$;
