-- Plans a migration, or plans it anew; then its settings stay.
INSERT INTO migrations (name, state, settings)
VALUES (%(migration)s, %(state)s, %(settings)s::jsonb)
ON CONFLICT (name) DO UPDATE
SET total = NULL, planned_at = now(), started_at = NULL, finished_at = NULL, verified_at = NULL, verification = NULL
