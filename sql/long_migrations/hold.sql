-- Opens a hold, or prolongs the one by the same signal; whether it was opened. A migration that is not at work has none.
INSERT INTO migration_holds AS stored (migration, signal, detail, since, until)
SELECT name, %(signal)s, %(detail)s, clock_timestamp(), clock_timestamp() + make_interval(secs => %(seconds)s)
FROM migrations
WHERE name = %(migration)s AND state = ANY (%(at_work)s)
FOR SHARE
ON CONFLICT (migration, signal) WHERE ended_at IS NULL
DO UPDATE SET detail = excluded.detail, until = excluded.until
RETURNING xmax = 0 AS is_new
