-- The digest of the migrations that made the store.
SELECT obj_description(to_regclass('public.lineage_schema_version'), 'pg_class')
