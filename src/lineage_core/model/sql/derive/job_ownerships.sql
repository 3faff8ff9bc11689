-- The owners of jobs, by the last facet that says them.
-- again: A facet says some.
-- reads: job_labels, owners, labelled_jobs
-- writes: job_ownerships
-- removes: job_ownerships

-- reported_job_owners: the owners that each job that the slice labels should have.
CREATE TEMP TABLE reported_job_owners ON COMMIT DROP AS
SELECT latest.job_uuid, owners.uuid AS owner_uuid, stated.type, latest.owners_reported_at AS reported_at
FROM (
    SELECT DISTINCT ON (job_uuid) job_uuid, owners, owners_reported_at
    FROM labelled_jobs
    JOIN job_labels USING (job_uuid)
    WHERE owners_event IS NOT NULL
    ORDER BY job_uuid, owners_event DESC
) AS latest
CROSS JOIN LATERAL jsonb_to_recordset(latest.owners) AS stated (name text, type text)
JOIN owners USING (name);

DELETE FROM job_ownerships AS stored
USING labelled_jobs AS labelled
WHERE stored.job_uuid = labelled.job_uuid
  AND NOT EXISTS (
      SELECT
      FROM reported_job_owners AS reported
      WHERE reported.job_uuid = stored.job_uuid
        AND reported.owner_uuid = stored.owner_uuid
        AND reported.type = stored.type
  );

INSERT INTO job_ownerships AS stored (job_uuid, owner_uuid, type, reported_at)
SELECT job_uuid, owner_uuid, type, reported_at
FROM reported_job_owners
ORDER BY job_uuid, owner_uuid, type COLLATE "C"
ON CONFLICT (job_uuid, owner_uuid, type) DO UPDATE SET reported_at = excluded.reported_at
WHERE stored.reported_at <> excluded.reported_at;
