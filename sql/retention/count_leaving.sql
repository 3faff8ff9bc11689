-- The last number of what goes in a phase; some before it may stay after all.
SELECT coalesce(max(number), 0) FROM {leaving}
