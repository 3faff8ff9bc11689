-- This month or the next, if raw events of it have no partition.
SELECT format('Raw events of %s have no partition', to_char(month, 'YYYY-MM'))
FROM generate_series(
    date_trunc('month', now() AT TIME ZONE 'UTC'), date_trunc('month', now() AT TIME ZONE 'UTC') + interval '1 month', '1 month'
) AS month
WHERE to_regclass('public.lineage_events_' || to_char(month, 'YYYY_MM')) IS NULL
