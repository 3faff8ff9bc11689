-- Jobs and datasets that go, when it is settled which stay.

-- leaving_jobs: the jobs that go.
CREATE TEMP TABLE leaving_jobs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_jobs WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_jobs (uuid);
ANALYZE leaving_jobs;

-- leaving_datasets: the datasets that go.
CREATE TEMP TABLE leaving_datasets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number FROM old_datasets WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_datasets (uuid);
ANALYZE leaving_datasets;

-- naming_jobs: those of these jobs that still name something.
CREATE TEMP TABLE naming_jobs AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM leaving_jobs
JOIN jobs AS job USING (uuid)
WHERE num_nonnulls(job.current_version_uuid, job.current_run_uuid, job.parent_job_uuid, job.symlink_target_uuid) > 0;

-- naming_datasets: those of these datasets that do.
CREATE TEMP TABLE naming_datasets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM leaving_datasets
JOIN datasets AS dataset USING (uuid)
WHERE dataset.current_version_uuid IS NOT NULL;

-- leaving_dataset_names: all names of these datasets.
CREATE TEMP TABLE leaving_dataset_names AS
SELECT name.uuid, leaving.number AS dataset_number
FROM dataset_names AS name
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
JOIN leaving_datasets AS leaving ON leaving.uuid = coalesce(known.uuid, name.uuid);

CREATE INDEX ON leaving_dataset_names (dataset_number);

-- leaving_field_tags: the tags of the columns of these datasets.
CREATE TEMP VIEW leaving_field_tags AS
SELECT tagged.dataset_field_uuid, tagged.tag_uuid
FROM dataset_fields_tag_mapping AS tagged
JOIN dataset_fields AS field ON field.uuid = tagged.dataset_field_uuid
JOIN leaving_datasets AS leaving ON leaving.uuid = field.dataset_uuid;
