-- Replaces the settings of a migration.
UPDATE migrations SET settings = %(settings)s::jsonb WHERE name = %(migration)s
