-- What late events have made untrue goes: versions that no mention makes, schema versions and job versions that nothing has,
-- datasets whose name is another's.
-- again: A version is unmade or has another schema version, a moment makes another job version, or a name becomes another
--     dataset's.
-- reads: changed_names, left_schema_versions, touched_job_versions, touched_schema_versions, unmade_versions
-- writes: dataset_schema_versions, datasets_tag_mapping
-- removes: dataset_fields, dataset_schema_versions, dataset_versions, datasets, job_versions, job_versions_io_mapping,
--     schema_fields_to_move

DELETE FROM dataset_versions AS stored
USING unmade_versions AS unmade
WHERE stored.uuid = unmade.version_uuid;

-- unreferenced_schema_versions: the schema versions that nothing has. A long migration may refer to one of them at this moment.
-- The lock waits for it, and the next statement sees what it did.
CREATE TEMP TABLE unreferenced_schema_versions ON COMMIT DROP AS
SELECT stored.uuid
FROM touched_schema_versions AS touched
JOIN dataset_schema_versions AS stored ON stored.uuid = touched.uuid
WHERE NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = stored.uuid)
FOR UPDATE OF stored;

ANALYZE unreferenced_schema_versions;

DELETE FROM dataset_schema_versions AS stored
USING unreferenced_schema_versions AS unreferenced
WHERE stored.uuid = unreferenced.uuid
  AND NOT EXISTS (SELECT FROM dataset_versions WHERE dataset_schema_version_uuid = stored.uuid);

UPDATE dataset_schema_versions AS stored
SET created_at = first_version.created_at,
    dataset_uuid = first_version.dataset_uuid
FROM touched_schema_versions AS touched
CROSS JOIN LATERAL (
    SELECT created_at, dataset_uuid
    FROM dataset_versions
    WHERE dataset_schema_version_uuid = touched.uuid
    ORDER BY first_event NULLS FIRST, created_at
    LIMIT 1
) AS first_version
WHERE stored.uuid = touched.uuid
  AND (stored.created_at, stored.dataset_uuid) IS DISTINCT FROM (first_version.created_at, first_version.dataset_uuid);

-- One that two datasets had, and of which only one is left, keeps the fields of that one.
SELECT take_in_fields(array_agg(uuid)) FROM left_schema_versions;

UPDATE dataset_schema_versions AS stored
SET field_uuids = changed_fields(stored.field_uuids, lost.field_uuids, ARRAY[]::uuid[])
FROM left_schema_versions AS touched
CROSS JOIN LATERAL foreign_fields(touched.uuid) AS lost (field_uuids)
WHERE stored.uuid = touched.uuid AND stored.field_uuids && lost.field_uuids;

-- leaving_datasets: those whose own name is another dataset's now.
CREATE TEMP TABLE leaving_datasets ON COMMIT DROP AS
SELECT leaving.uuid, changed.new_uuid
FROM changed_names AS changed
JOIN datasets AS leaving ON leaving.uuid = changed.old_uuid AND leaving.name_uuid = changed.name_uuid
WHERE leaving.uuid <> changed.new_uuid;

-- Each leaves the other the tags that people gave it.
INSERT INTO datasets_tag_mapping AS stored (dataset_uuid, tag_uuid, tagged_at)
SELECT leaving.new_uuid, tagged.tag_uuid, min(tagged.tagged_at)
FROM leaving_datasets AS leaving
JOIN datasets_tag_mapping AS tagged ON tagged.dataset_uuid = leaving.uuid AND NOT tagged.is_reported
GROUP BY leaving.new_uuid, tagged.tag_uuid
ON CONFLICT (tag_uuid, dataset_uuid) DO UPDATE SET tagged_at = excluded.tagged_at, is_reported = false
WHERE stored.is_reported;

-- All that events say of it is under the other by now. What somebody else has made of it goes with it.
DELETE FROM dataset_fields AS stored
USING leaving_datasets AS leaving
WHERE stored.dataset_uuid = leaving.uuid;

DELETE FROM dataset_versions AS stored
USING leaving_datasets AS leaving
WHERE stored.dataset_uuid = leaving.uuid;

DELETE FROM job_versions_io_mapping AS stored
USING leaving_datasets AS leaving
WHERE stored.dataset_uuid = leaving.uuid;

DELETE FROM datasets AS stored
USING leaving_datasets AS leaving
WHERE stored.uuid = leaving.uuid;

DELETE FROM job_versions AS stored
USING touched_job_versions AS touched
WHERE stored.uuid = touched.version_uuid AND touched.first_event IS NULL;
