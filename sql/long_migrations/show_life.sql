-- Writes what the work of a worker took; and the longest of its transactions, in which others may have had to wait.
UPDATE migration_workers
SET seen_at = clock_timestamp(),
    batch_rows = %(rows)s,
    rows_per_second = %(rows_per_second)s,
    spread = %(spread)s,
    batch_seconds = %(seconds)s,
    longest_seconds = greatest(longest_seconds, extract(epoch FROM clock_timestamp() - now()))
WHERE number = %(worker)s
