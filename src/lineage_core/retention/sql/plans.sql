-- name: plans/moment
-- The server's clock, and whether a moment lies behind it.
SELECT now() AS moment, coalesce(%(as_of)s > now(), false) AS is_ahead

-- name: plans/forget
-- Forgets what went by plans that were made too long ago to be carried out.
WITH old AS (
    SELECT id FROM retention_plans WHERE planned_at < now() - %(after)s::interval
),
events AS (
    DELETE FROM retention_plan_events USING old WHERE plan = old.id
)
DELETE FROM retention_plan_keys USING old WHERE plan = old.id

-- name: plans/add
-- Keeps a plan of retention; its number. How it is written follows from what goes by it (see set_written).
INSERT INTO retention_plans (as_of, cutoffs, written)
VALUES (%(as_of)s, %(cutoffs)s, '{}')
RETURNING id

-- name: plans/add_keys
-- Keeps the keys of what was found to go, ten thousand to a row.
INSERT INTO retention_plan_keys (plan, kind, number, keys)
SELECT %(plan)s, kind, number, array_agg(uuid)
FROM (
    SELECT kind, uuid, (row_number() OVER (PARTITION BY kind ORDER BY uuid) - 1) / 10000 AS number FROM leaving_keys
) AS numbered
GROUP BY kind, number

-- name: plans/digest
-- A digest of all that goes by a plan: the same if and only if the same goes.
SELECT encode(
    sha256(
        convert_to(
            concat_ws(
                chr(10),
                (
                    SELECT string_agg(concat_ws(' ', kind, number, encode(sha256(convert_to(keys::text, 'UTF8')), 'hex')), chr(10) ORDER BY kind COLLATE "C", number)
                    FROM retention_plan_keys
                    WHERE plan = %(plan)s
                ),
                (
                    SELECT string_agg(concat_ws(' ', first_seq, last_seq), chr(10) ORDER BY first_seq)
                    FROM retention_plan_events
                    WHERE plan = %(plan)s
                )
            ),
            'UTF8'
        )
    ),
    'hex'
)

-- name: plans/set_written
-- Keeps how a plan is written.
UPDATE retention_plans SET written = %(written)s WHERE id = %(plan)s

-- name: plans/kept
-- A plan as it was kept, and whether it may still be carried out.
SELECT as_of, cutoffs, written, planned_at >= now() - %(after)s::interval AS is_known, as_of > now() AS is_ahead
FROM retention_plans
WHERE id = %(plan)s

-- name: plans/stayed
-- Why some rows of a table that were planned to go are still there, when nothing more goes.
SELECT coalesce(judged.stays, 'heard of again') AS reason, count(*) AS rows
FROM approved
JOIN {table} USING (uuid)
LEFT JOIN {judged} AS judged USING (uuid)
WHERE kind = %(table)s
GROUP BY reason

-- name: plans/add_events
-- Keeps the numbers of the raw events that nothing keeps, as spans without a gap.
INSERT INTO retention_plan_events (plan, first_seq, last_seq)
SELECT %(plan)s, min(arrival_seq), max(arrival_seq)
FROM (
    SELECT arrival_seq, arrival_seq - row_number() OVER (ORDER BY arrival_seq) AS span
    FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
    WHERE kept_by IS NULL
) AS going
GROUP BY span

-- name: plans/stayed_events
-- Why some of the raw events that were planned to go are still there.
SELECT coalesce(kept_by, 'in the store again') AS reason, count(*) AS rows
FROM judged_raw_events(%(namespaces)s::text[], %(befores)s::timestamptz[], '-infinity', 'infinity')
WHERE is_planned(%(plan)s, arrival_seq)
GROUP BY 1
