-- Runs that stay as parents of others alone, and whose own parent is of a chunk, name none any more; their facets still do. So do
-- runs of later chunks, or they would go along with their parent.
UPDATE runs AS stored
SET parent_run_uuid = NULL
FROM leaving_runs AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.parent_run_uuid = leaving.uuid
  AND NOT EXISTS (SELECT FROM leaving_runs AS other WHERE other.uuid = stored.uuid AND other.number <= %(until)s)
