-- The runs that go, when it is settled which stay.

-- leaving_runs: the runs that go, children before their parents.
CREATE TEMP TABLE leaving_runs AS
WITH RECURSIVE below AS (
    SELECT run.uuid, 0 AS depth
    FROM old_runs AS old
    JOIN runs AS run USING (uuid)
    WHERE old.stays IS NULL
    UNION ALL
    SELECT run.parent_run_uuid, below.depth + 1
    FROM below
    JOIN runs AS run USING (uuid)
    WHERE run.parent_run_uuid IN (SELECT uuid FROM old_runs WHERE stays IS NULL) AND run.parent_run_uuid <> run.uuid
      AND below.depth < 100
)
SELECT uuid, row_number() OVER (ORDER BY max(depth), uuid) AS number
FROM below
GROUP BY uuid;

CREATE UNIQUE INDEX ON leaving_runs (uuid);
ANALYZE leaving_runs;
