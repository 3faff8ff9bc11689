-- Accepts rows that are in quarantine, for the reason for which they are there: those of the keys, or all if none are named.
-- One that is accepted for that reason stays as it is. Gives the keys that are accepted now, and whether by this.
WITH chosen AS (
    SELECT migration, key, error
    FROM migration_quarantine
    WHERE migration = %(migration)s AND (%(keys)s::text[] IS NULL OR key = ANY (%(keys)s::text[]))
),
accepted AS (
    INSERT INTO migration_acceptances AS stored (migration, key, error, why, accepted_from)
    SELECT migration, key, error, %(why)s, %(from)s FROM chosen
    ON CONFLICT (migration, key) DO UPDATE
    SET error = excluded.error,
        why = excluded.why,
        accepted_by = excluded.accepted_by,
        accepted_from = excluded.accepted_from,
        accepted_at = excluded.accepted_at
    WHERE stored.error <> excluded.error
    RETURNING key
)
SELECT key, key IN (SELECT key FROM accepted) AS is_new FROM chosen;
