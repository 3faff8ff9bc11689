-- Adds to a report what the same transaction deletes.
UPDATE retention_reports AS report
SET deleted = report.deleted || (
    SELECT jsonb_object_agg(gone.key, gone.value::bigint + coalesce((report.deleted ->> gone.key)::bigint, 0))
    FROM jsonb_each_text(%(deleted)s) AS gone
)
WHERE id = %(report)s
