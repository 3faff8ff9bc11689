-- Dataset versions that go, with their places in the timeline and their schema versions.

-- leaving_versions: the dataset versions that go.
CREATE TEMP TABLE leaving_versions AS
SELECT uuid, version.dataset_schema_version_uuid AS schema_version_uuid, row_number() OVER (ORDER BY uuid) AS number
FROM old_versions
JOIN dataset_versions AS version USING (uuid)
WHERE stays IS NULL;

CREATE UNIQUE INDEX ON leaving_versions (uuid);
ANALYZE leaving_versions;

-- leaving_rows: the rows of the timeline of these versions.
CREATE TEMP TABLE leaving_rows AS
SELECT row.dataset_uuid, row.event_order, row.is_written, leaving_versions.number AS version_number
FROM leaving_versions
JOIN dataset_version_timeline AS row ON row.version_uuid = leaving_versions.uuid;

CREATE INDEX ON leaving_rows (version_number);
ANALYZE leaving_rows;

-- leaving_schema_versions: schema versions of which no version is left.
CREATE TEMP TABLE leaving_schema_versions AS
SELECT stored.uuid, row_number() OVER (ORDER BY stored.uuid) AS number
FROM dataset_schema_versions AS stored
JOIN datasets AS dataset ON dataset.uuid = stored.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
WHERE NOT EXISTS (
    SELECT
    FROM dataset_versions AS version
    LEFT JOIN leaving_versions AS leaving USING (uuid)
    WHERE version.dataset_schema_version_uuid = stored.uuid AND leaving.uuid IS NULL
);

-- leaving_schema_fields: their fields.
CREATE TEMP VIEW leaving_schema_fields AS
SELECT mapping.dataset_schema_version_uuid, mapping.dataset_field_uuid
FROM dataset_schema_versions_field_mapping AS mapping
JOIN leaving_schema_versions AS leaving ON leaving.uuid = mapping.dataset_schema_version_uuid;

-- leaving_verdicts: the verdicts on the schemas of these versions.
CREATE TEMP TABLE leaving_verdicts AS
SELECT row.dataset_uuid, row.event_order, row.version_number
FROM leaving_rows AS row
JOIN dataset_schema_verdicts AS verdict USING (dataset_uuid, event_order)
WHERE row.is_written;

CREATE INDEX ON leaving_verdicts (version_number);
ANALYZE leaving_verdicts;

-- leaving_schema_histories: what only these were judged by, and what an application that was killed has left of others. What the next
-- verdict was judged by stays, with all that was deleted.
CREATE TEMP TABLE leaving_schema_histories AS
SELECT stored.uuid, row_number() OVER (ORDER BY stored.uuid) AS number
FROM dataset_schema_histories AS stored
JOIN datasets AS dataset ON dataset.uuid = stored.dataset_uuid
JOIN cutoffs AS cutoff ON cutoff.kind = 'versions' AND cutoff.namespace = dataset.namespace_name
WHERE NOT EXISTS (
    SELECT
    FROM dataset_schema_verdicts AS verdict
    LEFT JOIN leaving_verdicts AS leaving USING (dataset_uuid, event_order)
    WHERE verdict.history_uuid = stored.uuid AND leaving.version_number IS NULL
);
