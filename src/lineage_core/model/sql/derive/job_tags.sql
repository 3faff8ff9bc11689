-- The tags of jobs, by the last facet that says them.
-- again: A facet says some.
-- reads: staging.job_labels, job_labels, tags
-- writes: jobs_tag_mapping
-- removes: jobs_tag_mapping
--
-- What people put there is not touched.

-- labelled_jobs: the jobs that the slice labels.
CREATE TEMP TABLE labelled_jobs ON COMMIT DROP AS
SELECT DISTINCT label.job_uuid
FROM {staging}.job_labels AS staged
JOIN job_labels AS label USING (uuid)
WHERE staged.part_id = ANY (%(parts)s);

-- reported_job_tags: the tags that each of these jobs should bear.
CREATE TEMP TABLE reported_job_tags ON COMMIT DROP AS
SELECT latest.job_uuid, tags.uuid AS tag_uuid, latest.tags_reported_at AS tagged_at
FROM (
    SELECT DISTINCT ON (job_uuid) job_uuid, tags, tags_reported_at
    FROM labelled_jobs
    JOIN job_labels USING (job_uuid)
    WHERE tags_event IS NOT NULL
    ORDER BY job_uuid, tags_event DESC
) AS latest
CROSS JOIN LATERAL jsonb_to_recordset(latest.tags) AS stated (name text)
JOIN tags USING (name);

DELETE FROM jobs_tag_mapping AS stored
USING labelled_jobs AS labelled
WHERE stored.job_uuid = labelled.job_uuid
  AND stored.is_reported
  AND NOT EXISTS (
      SELECT
      FROM reported_job_tags AS reported
      WHERE reported.job_uuid = stored.job_uuid AND reported.tag_uuid = stored.tag_uuid
  );

INSERT INTO jobs_tag_mapping AS stored (job_uuid, tag_uuid, tagged_at, is_reported)
SELECT DISTINCT job_uuid, tag_uuid, tagged_at, true
FROM reported_job_tags
ORDER BY tag_uuid, job_uuid
ON CONFLICT (tag_uuid, job_uuid) DO UPDATE SET tagged_at = excluded.tagged_at
WHERE stored.is_reported AND stored.tagged_at <> excluded.tagged_at;
