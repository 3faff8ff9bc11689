-- What workers of a plan may do now; no row once it is planned anew.
SELECT
    state,
    settings,
    count(hold.id) > 0 AS is_held,
    coalesce(bool_or(hold.until < clock_timestamp()), false) AS must_look
FROM migrations
LEFT JOIN migration_holds AS hold ON hold.migration = name AND hold.ended_at IS NULL
WHERE name = %(migration)s AND planned_at = %(planned_at)s
GROUP BY state, settings
