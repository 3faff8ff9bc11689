-- Whether an event was restored out of an archive, and the hold that came with it is in force. Where there is no such hold nothing is
-- looked at.
CREATE OR REPLACE FUNCTION is_restored(event jsonb, event_time timestamptz) RETURNS boolean
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = pg_catalog, public, pg_temp
AS $$
BEGIN
    IF NOT EXISTS (SELECT FROM retention_holds_in_force WHERE manifest IS NOT NULL) THEN
        RETURN false;
    END IF;
    RETURN EXISTS (
        SELECT
        FROM retention_restored_events AS restored
        JOIN retention_holds_in_force AS held ON held.id = restored.hold
        WHERE restored.identity = event_identity(event, event_time)
    );
END
$$;
