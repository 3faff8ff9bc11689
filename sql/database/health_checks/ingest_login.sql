-- Where a login has come to, and whether it may add raw events there.
SELECT
    (SELECT system_identifier FROM pg_control_system())::text || '/' || current_database() AS database,
    to_regclass('public.lineage_events') IS NOT NULL AND has_any_column_privilege('public.lineage_events', 'INSERT') AS may_insert
