-- The versions that mentions make, and which of them is current.
-- again: A mention makes or changes a version, or the timeline changes.
-- reads: dataset_version_timeline, datasets, identity_map of dataset_versions, changed_timelines, made_versions,
--     version_schemas, written_versions
-- writes: dataset_versions, datasets.current_version_uuid
--
-- Which versions mentions make: made_versions.sql.

-- renamed_versions: versions whose first mention is now one by another name.
CREATE TEMP TABLE renamed_versions ON COMMIT DROP AS
SELECT made.version_uuid
FROM made_versions AS made
JOIN dataset_versions AS stored ON stored.uuid = made.version_uuid
WHERE (stored.namespace_name, stored.dataset_name) IS DISTINCT FROM (made.namespace_name, made.dataset_name);

-- redescribed_versions: versions that list their fields otherwise now.
CREATE TEMP TABLE redescribed_versions ON COMMIT DROP AS
SELECT made.version_uuid
FROM made_versions AS made
JOIN dataset_versions AS stored ON stored.uuid = made.version_uuid
WHERE stored.first_event IS DISTINCT FROM made.first_event AND stored.fields IS DISTINCT FROM made.fields;

MERGE INTO dataset_versions AS stored
USING (
    SELECT
        made.*,
        coalesce(known_version.key_uuid, made.version_uuid) AS version,
        written.run_uuid,
        described.schema_version_uuid AS described_as
    FROM made_versions AS made
    LEFT JOIN version_schemas AS described USING (version_uuid)
    LEFT JOIN written_versions AS written USING (version_uuid)
    LEFT JOIN identity_map AS known_version
        ON known_version.entity = 'dataset_versions' AND known_version.uuid = made.version_uuid
    ORDER BY made.version_uuid
) AS made ON stored.uuid = made.version_uuid
WHEN MATCHED AND stored.first_event IS DISTINCT FROM made.first_event THEN UPDATE SET
    created_at = made.created_at,
    dataset_uuid = made.dataset_uuid,
    run_uuid = CASE WHEN stored.first_event IS NULL THEN made.run_uuid ELSE stored.run_uuid END,
    fields = made.fields,
    namespace_name = made.namespace_name,
    dataset_name = made.dataset_name,
    lifecycle_state = made.lifecycle_state,
    first_event = made.first_event
WHEN NOT MATCHED THEN INSERT (
    uuid, created_at, dataset_uuid, version, run_uuid, fields, namespace_name, dataset_name, lifecycle_state,
    dataset_schema_version_uuid, first_event
) VALUES (
    made.version_uuid, made.created_at, made.dataset_uuid, made.version, made.run_uuid, made.fields, made.namespace_name,
    made.dataset_name, made.lifecycle_state, made.described_as, made.first_event
);

UPDATE dataset_versions AS stored
SET run_uuid = written.run_uuid
FROM written_versions AS written
WHERE stored.uuid = written.version_uuid AND stored.run_uuid IS NULL;

-- reshaped_versions: versions that have other fields now.
CREATE TEMP TABLE reshaped_versions ON COMMIT DROP AS
SELECT described.version_uuid
FROM version_schemas AS described
JOIN dataset_versions AS stored ON stored.uuid = described.version_uuid
WHERE stored.dataset_schema_version_uuid IS DISTINCT FROM described.schema_version_uuid
UNION
SELECT version_uuid FROM renamed_versions;

UPDATE dataset_versions AS stored
SET dataset_schema_version_uuid = described.schema_version_uuid
FROM version_schemas AS described
WHERE stored.uuid = described.version_uuid
  AND stored.dataset_schema_version_uuid IS DISTINCT FROM described.schema_version_uuid;

-- The last place that did not lie ahead of its receipt, or else the last that did: the order alone would give the latter. Two
-- halves, so that each is one look into the index.
UPDATE datasets
SET current_version_uuid = current.version_uuid
FROM (SELECT DISTINCT dataset_uuid FROM changed_timelines) AS changed
CROSS JOIN LATERAL (
    SELECT version_uuid
    FROM (
        (
            SELECT version_uuid, event_order
            FROM dataset_version_timeline
            WHERE dataset_uuid = changed.dataset_uuid AND NOT is_ahead(event_order)
            ORDER BY event_order DESC, is_written DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT version_uuid, event_order
            FROM dataset_version_timeline
            WHERE dataset_uuid = changed.dataset_uuid AND is_ahead(event_order)
            ORDER BY event_order DESC, is_written DESC
            LIMIT 1
        )
    ) AS last_in_time_and_last_ahead
    ORDER BY event_order
    LIMIT 1
) AS current
WHERE datasets.uuid = changed.dataset_uuid
  AND datasets.current_version_uuid IS DISTINCT FROM current.version_uuid;
