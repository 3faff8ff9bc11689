-- name: checks/stuck_migrations
-- Long migrations with rows in quarantine that nobody has accepted, and those that are paused or have failed.
SELECT format('The migration %s has %s rows in quarantine', name, aside.rows)
FROM migrations
CROSS JOIN LATERAL (
    SELECT count(*) AS rows
    FROM migration_quarantine AS held
    LEFT JOIN migration_acceptances AS known USING (migration, key, error)
    WHERE held.migration = migrations.name AND known.key IS NULL
) AS aside
WHERE aside.rows > 0
UNION ALL
SELECT format('The migration %s is %s', name, state) FROM migrations WHERE state IN ('paused', 'failed')
