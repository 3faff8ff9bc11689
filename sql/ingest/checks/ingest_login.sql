-- Whether the login may add raw events here.
SELECT to_regclass('public.lineage_events') IS NOT NULL AND has_any_column_privilege('public.lineage_events', 'INSERT') AS may_insert
