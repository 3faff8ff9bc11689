-- Takes all rows of a migration out of quarantine: each key becomes a range of its own, from the key before it.
WITH freed AS (DELETE FROM migration_quarantine WHERE migration = %(migration)s RETURNING key)
INSERT INTO migration_ranges (migration, after_key, until_key, rows)
SELECT %(migration)s, before.key, freed.key, 0
FROM freed
LEFT JOIN LATERAL (
    SELECT {key}::text AS key FROM {table} WHERE {key} < freed.key::{kind} ORDER BY {table}.{key} DESC LIMIT 1
) AS before ON true
