-- Jobs and datasets of which nothing was heard since the cutoff, and why they stay, null if they go. What else they stay for is found
-- with the runs and versions that stay (see sql/retention/find/stays).

-- held_datasets: the datasets that legal holds are about, by any of their names.
CREATE TEMP TABLE held_datasets AS
SELECT DISTINCT coalesce(known.uuid, name.uuid) AS uuid, held.events_since, held.events_until
FROM held_things AS held
JOIN dataset_names AS name ON name.namespace_name = held.namespace AND (held.dataset IS NULL OR held.dataset = name.name)
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
WHERE held.job IS NULL AND held.run IS NULL;

CREATE INDEX ON held_datasets (uuid);
ANALYZE held_datasets;

-- old_jobs: these jobs.
CREATE TEMP TABLE old_jobs AS
SELECT
    job.uuid,
    CASE
        WHEN EXISTS (
            SELECT
            FROM held_things AS held
            WHERE held.namespace = job.namespace_name
              AND held.dataset IS NULL
              AND held.run IS NULL
              AND (held.job IS NULL OR held.job = job.name)
              AND (held.events_since IS NULL OR held.events_since <= job.updated_at)
              AND (held.events_until IS NULL OR held.events_until > job.created_at)
        ) THEN 'legal hold'
    END AS stays
FROM jobs AS job
JOIN cutoffs AS cutoff ON cutoff.kind = 'entities' AND cutoff.namespace = job.namespace_name
WHERE job.updated_at < cutoff.before
  AND NOT EXISTS (SELECT FROM job_versions AS version WHERE version.job_uuid = job.uuid AND version.updated_at >= cutoff.before);

CREATE UNIQUE INDEX ON old_jobs (uuid);
ANALYZE old_jobs;

-- old_datasets: these datasets.
CREATE TEMP TABLE old_datasets AS
SELECT
    dataset.uuid,
    CASE
        WHEN EXISTS (
            SELECT
            FROM held_datasets AS held
            WHERE held.uuid = dataset.uuid
              AND (held.events_since IS NULL OR held.events_since <= dataset.updated_at)
              AND (held.events_until IS NULL OR held.events_until > dataset.created_at)
        ) THEN 'legal hold'
    END AS stays
FROM datasets AS dataset
JOIN cutoffs AS cutoff ON cutoff.kind = 'entities' AND cutoff.namespace = dataset.namespace_name
WHERE dataset.updated_at < cutoff.before
  AND NOT EXISTS (
      SELECT FROM dataset_versions AS version WHERE version.dataset_uuid = dataset.uuid AND version.created_at >= cutoff.before
  );

CREATE UNIQUE INDEX ON old_datasets (uuid);
ANALYZE old_datasets;
