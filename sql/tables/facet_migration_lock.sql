-- Rendered from tables/facet_migration_lock.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE facet_migration_lock (
    created_at timestamptz,
    run_uuid uuid
);
COMMENT ON TABLE facet_migration_lock IS 'The events whose facets Marquez'' migration 57 has copied. Marquez writes it and never reads it.';
COMMENT ON COLUMN facet_migration_lock.created_at IS 'When the event arrived.';
COMMENT ON COLUMN facet_migration_lock.run_uuid IS 'Run that the event belongs to; null marks a store that was empty.';
