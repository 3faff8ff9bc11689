-- This month, and so many ahead: the beginning of each, in UTC.
SELECT ((this_month + make_interval(months => ahead)) AT TIME ZONE 'UTC')::text
FROM date_trunc('month', now() AT TIME ZONE 'UTC') AS this_month, generate_series(0, %(ahead)s) AS ahead
