-- How people steer long migrations without a right to their tables.

-- name: functions/lock_migration
-- A migration as commands need it, locked against other commands until the transaction ends.
CREATE OR REPLACE FUNCTION lock_migration(migration text)
RETURNS TABLE (state text, settings jsonb, verified_at timestamptz)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    RETURN QUERY
    SELECT known.state, known.settings, known.verified_at
    FROM migrations AS known
    WHERE known.name = lock_migration.migration
    FOR NO KEY UPDATE;
END
$$;

-- name: functions/steer_migration
-- Lets a migration wait, go on, or end; with its end, what holds it ends, too. Which command leads from which state to which is
-- decided by who calls: these are the bounds of what can be asked for.
CREATE OR REPLACE FUNCTION steer_migration(migration text, becomes text, command text) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_column
BEGIN
    UPDATE migrations
    SET state = becomes
    WHERE name = steer_migration.migration
      AND CASE becomes
          WHEN 'paused' THEN state IN ('planned', 'running')
          WHEN 'running' THEN state = 'paused'
          WHEN 'cancelled' THEN state IN ('planned', 'running', 'paused', 'finished', 'cancelled')
          ELSE false
      END;
    IF NOT FOUND THEN
        RAISE EXCEPTION 'no migration % can become %', migration, becomes USING ERRCODE = 'object_not_in_prerequisite_state';
    END IF;
    INSERT INTO migration_transitions (migration, event, detail) VALUES (steer_migration.migration, becomes, command);
    IF becomes = 'cancelled' THEN
        WITH ended AS (
            UPDATE migration_holds
            SET ended_at = clock_timestamp()
            WHERE migration = steer_migration.migration AND ended_at IS NULL
            RETURNING signal
        )
        INSERT INTO migration_transitions (migration, event, detail)
        SELECT steer_migration.migration, 'released', signal FROM ended;
    END IF;
END
$$;

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION public.lock_migration, public.steer_migration FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.lock_migration, public.steer_migration TO lineage_jobs, lineage_operator;
