-- The digest of the release that upgraded the store last.
SELECT obj_description(to_regclass('public.lineage_schema_version'), 'pg_class')
