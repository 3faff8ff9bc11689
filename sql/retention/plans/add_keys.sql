-- Keeps the keys of what was found to go, ten thousand to a row.
INSERT INTO retention_plan_keys (plan, kind, number, keys)
SELECT %(plan)s, kind, number, array_agg(uuid)
FROM (
    SELECT kind, uuid, (row_number() OVER (PARTITION BY kind ORDER BY uuid) - 1) / 10000 AS number FROM leaving_keys
) AS numbered
GROUP BY kind, number
