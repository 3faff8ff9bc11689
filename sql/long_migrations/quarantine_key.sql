-- Puts what is left of a range, which is one row or none, into quarantine; whether its error is news, as nobody has accepted it.
INSERT INTO migration_quarantine AS held (migration, key, error)
SELECT DISTINCT %(migration)s, {key}::text, %(error)s
FROM {table}
WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
ON CONFLICT (migration, key) DO UPDATE SET error = excluded.error
RETURNING NOT EXISTS (
    SELECT
    FROM migration_acceptances AS known
    WHERE (known.migration, known.key, known.error) = (held.migration, held.key, held.error)
) AS is_news
