-- How far a long migration is.
SELECT
    migrations.name,
    migrations.state,
    migrations.settings,
    coalesce(migrations.total, 0) AS total,
    coalesce(ranges.done, 0)::bigint AS done,
    coalesce(ranges.changed, 0)::bigint AS changed,
    coalesce(ranges.pending, 0) AS ranges_pending,
    coalesce(ranges.running, 0) AS ranges_running,
    coalesce(ranges.waiting, 0) AS ranges_waiting,
    coalesce(ranges.finished, 0) AS ranges_done,
    aside.quarantined,
    aside.accepted,
    coalesce(workers.number, 0) AS workers,
    coalesce(
        workers.rate,
        ranges.done / nullif(
            extract(epoch FROM coalesce(migrations.finished_at, clock_timestamp()) - migrations.started_at), 0
        )
    )::double precision AS rows_per_second,
    coalesce(workers.spread, 0)::double precision AS spread,
    workers.batch_rows,
    workers.batch_seconds,
    holds.seconds AS held_seconds,
    migrations.reads_new,
    migrations.planned_at,
    migrations.started_at,
    migrations.finished_at,
    migrations.verified_at,
    migrations.verification
FROM migrations
CROSS JOIN LATERAL (
    SELECT
        sum(done) AS done,
        sum(changed) AS changed,
        count(*) FILTER (WHERE state = 'pending') AS pending,
        count(*) FILTER (WHERE state = 'running') AS running,
        count(*) FILTER (WHERE state = 'waiting') AS waiting,
        count(*) FILTER (WHERE state = 'done') AS finished
    FROM migration_ranges
    WHERE migration = migrations.name
) AS ranges
CROSS JOIN LATERAL (
    SELECT
        count(*) FILTER (WHERE known.key IS NULL) AS quarantined,
        count(known.key) AS accepted
    FROM migration_quarantine AS held
    LEFT JOIN migration_acceptances AS known USING (migration, key, error)
    WHERE held.migration = migrations.name
) AS aside
CROSS JOIN LATERAL (
    SELECT
        nullif(count(*), 0) AS number,
        sum(migration_workers.rows_per_second) AS rate,
        max(migration_workers.spread) AS spread,
        max(batch_rows) AS batch_rows,
        max(batch_seconds) AS batch_seconds
    FROM migration_workers
    WHERE migration = migrations.name AND migration_workers.number = ANY (%(alive)s)
) AS workers
CROSS JOIN LATERAL (
    -- Holds overlap, so these may add up to more than the time that was waited.
    SELECT coalesce(jsonb_object_agg(held.signal, held.seconds ORDER BY held.signal COLLATE "C"), '{}') AS seconds
    FROM (
        SELECT signal, round(extract(epoch FROM sum(coalesce(ended_at, clock_timestamp()) - since)), 3) AS seconds
        FROM migration_holds
        WHERE migration = migrations.name AND since >= migrations.planned_at
        GROUP BY signal
    ) AS held
) AS holds
WHERE %(migration)s::text IS NULL OR migrations.name = %(migration)s
ORDER BY migrations.name COLLATE "C";
