-- The first row in quarantine that nobody has accepted for the error that it has, and how many there are.
SELECT count(*) OVER () AS number, key, error
FROM migration_quarantine AS held
WHERE migration = %(migration)s
  AND NOT EXISTS (
      SELECT
      FROM migration_acceptances AS known
      WHERE (known.migration, known.key, known.error) = (held.migration, held.key, held.error)
  )
ORDER BY key COLLATE "C"
LIMIT 1
