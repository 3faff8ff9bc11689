-- Months of which the tables have events, and lineage_events has none, though retention has deleted none of them. Only the first
-- event of each month is looked for, by index. Events that lay ahead of their receipt are ordered elsewhere, and are left out.
WITH RECURSIVE months (month) AS (
    SELECT date_trunc('month', min(first.event_time), 'UTC')
    FROM (
        SELECT event_time FROM event_ledger WHERE event_order < '\x02'::bytea ORDER BY event_order LIMIT 1
    ) AS first
    UNION ALL
    SELECT (
        SELECT date_trunc('month', following.event_time, 'UTC')
        FROM event_ledger AS following
        WHERE following.event_order >= '\x01'::bytea
            || int8send(microseconds(months.month + interval '1 month') # (-9223372036854775808))
          AND following.event_order < '\x02'::bytea
        ORDER BY following.event_order
        LIMIT 1
    )
    FROM months
    WHERE months.month IS NOT NULL
)
SELECT format(
    'The tables have events of %s, and lineage_events has none of that month, though retention has deleted none',
    to_char(month AT TIME ZONE 'UTC', 'YYYY-MM')
)
FROM months
WHERE month IS NOT NULL
  AND NOT EXISTS (SELECT FROM lineage_events WHERE event_time >= month AND event_time < month + interval '1 month')
  AND NOT EXISTS (SELECT FROM archived_event_months AS archived WHERE archived.month = months.month)
ORDER BY month
