-- What people have set beside what events say: read from the earlier store by names, and set in the new one, where the same thing
-- may have another uuid.

-- name: marks/tags/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'description', description, 'created_at', created_at, 'updated_at', updated_at
)), '[]')::text
FROM tags

-- name: marks/tags/write
INSERT INTO tags (uuid, created_at, updated_at, name, description)
SELECT key_uuid('tags', name), created_at, updated_at, name, description
FROM jsonb_to_recordset(%(rows)s::jsonb)
    AS given (name text, description text, created_at timestamptz, updated_at timestamptz)
ON CONFLICT (name) DO UPDATE SET description = coalesce(excluded.description, tags.description)

-- name: marks/namespaces/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'description', description, 'owner', current_owner_name, 'is_hidden', is_hidden
)), '[]')::text
FROM namespaces

-- name: marks/namespaces/write
UPDATE namespaces
SET description = coalesce(given.description, namespaces.description),
    current_owner_name = coalesce(given.owner, namespaces.current_owner_name),
    is_hidden = coalesce(given.is_hidden, namespaces.is_hidden)
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (name text, description text, owner text, is_hidden boolean)
WHERE namespaces.name = given.name

-- name: marks/namespace_ownerships/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'uuid', namespace_ownerships.uuid, 'namespace', namespaces.name, 'owner', owners.name, 'started_at', started_at,
    'ended_at', ended_at
)), '[]')::text
FROM namespace_ownerships
JOIN namespaces ON namespaces.uuid = namespace_uuid
JOIN owners ON owners.uuid = owner_uuid

-- name: marks/namespace_ownerships/write
WITH given AS (
    SELECT *
    FROM jsonb_to_recordset(%(rows)s::jsonb)
        AS given (uuid uuid, namespace text, owner text, started_at timestamp, ended_at timestamp)
), made AS (
    INSERT INTO owners (uuid, created_at, name)
    SELECT key_uuid('owners', owner), min(started_at), owner FROM given GROUP BY owner
    ON CONFLICT (name) DO NOTHING
    RETURNING uuid, name
), owner AS (
    SELECT uuid, name FROM made UNION SELECT uuid, name::text FROM owners
)
INSERT INTO namespace_ownerships (uuid, started_at, ended_at, namespace_uuid, owner_uuid)
SELECT given.uuid, given.started_at, given.ended_at, namespaces.uuid, owner.uuid
FROM given
JOIN namespaces ON namespaces.name = given.namespace
JOIN owner ON owner.name = given.owner
ON CONFLICT (namespace_uuid, owner_uuid) DO UPDATE
SET started_at = excluded.started_at, ended_at = excluded.ended_at

-- name: marks/sources/read
SELECT coalesce(jsonb_agg(jsonb_build_object('name', name, 'description', description)), '[]')::text
FROM sources
WHERE description IS NOT NULL

-- name: marks/sources/write
UPDATE sources
SET description = given.description
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (name text, description text)
WHERE sources.name = given.name

-- name: marks/datasets/read
SELECT coalesce(jsonb_agg(jsonb_build_object('namespace', namespace_name, 'name', name)), '[]')::text
FROM datasets
WHERE is_hidden

-- name: marks/datasets/write
UPDATE datasets
SET is_hidden = true
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (namespace text, name text)
WHERE datasets.namespace_name = given.namespace AND datasets.name = given.name

-- name: marks/jobs/read
SELECT coalesce(jsonb_agg(jsonb_build_object('namespace', namespace_name, 'name', name)), '[]')::text
FROM jobs
WHERE is_hidden

-- name: marks/jobs/write
UPDATE jobs
SET is_hidden = true
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (namespace text, name text)
WHERE jobs.namespace_name = given.namespace AND jobs.name = given.name

-- name: marks/datasets_tag_mapping/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'namespace', datasets.namespace_name, 'name', datasets.name, 'tag', tags.name, 'tagged_at', tagged_at
)), '[]')::text
FROM datasets_tag_mapping AS mapping
JOIN datasets ON datasets.uuid = dataset_uuid
JOIN tags ON tags.uuid = tag_uuid
WHERE NOT mapping.is_reported

-- name: marks/datasets_tag_mapping/write
INSERT INTO datasets_tag_mapping (dataset_uuid, tag_uuid, tagged_at)
SELECT datasets.uuid, tags.uuid, given.tagged_at
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (namespace text, name text, tag text, tagged_at timestamp)
JOIN datasets ON datasets.namespace_name = given.namespace AND datasets.name = given.name
JOIN tags ON tags.name = given.tag
ON CONFLICT (tag_uuid, dataset_uuid) DO UPDATE SET tagged_at = excluded.tagged_at, is_reported = false

-- name: marks/dataset_fields_tag_mapping/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'namespace', datasets.namespace_name, 'name', datasets.name, 'field', dataset_fields.name, 'type', dataset_fields.type,
    'tag', tags.name, 'tagged_at', tagged_at
)), '[]')::text
FROM dataset_fields_tag_mapping AS mapping
JOIN dataset_fields ON dataset_fields.uuid = dataset_field_uuid
JOIN datasets ON datasets.uuid = dataset_uuid
JOIN tags ON tags.uuid = tag_uuid
WHERE NOT mapping.is_reported

-- name: marks/dataset_fields_tag_mapping/write
INSERT INTO dataset_fields_tag_mapping (dataset_field_uuid, tag_uuid, tagged_at)
SELECT DISTINCT ON (dataset_fields.uuid, tags.uuid) dataset_fields.uuid, tags.uuid, given.tagged_at
FROM jsonb_to_recordset(%(rows)s::jsonb)
    AS given (namespace text, name text, field text, type text, tag text, tagged_at timestamp)
JOIN datasets ON datasets.namespace_name = given.namespace AND datasets.name = given.name
JOIN dataset_fields
    ON dataset_fields.dataset_uuid = datasets.uuid
    AND dataset_fields.name = given.field
    AND dataset_fields.type IS NOT DISTINCT FROM given.type
JOIN tags ON tags.name = given.tag
ON CONFLICT (tag_uuid, dataset_field_uuid) DO UPDATE SET tagged_at = excluded.tagged_at, is_reported = false

-- name: marks/jobs_tag_mapping/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'namespace', jobs.namespace_name, 'name', jobs.name, 'tag', tags.name, 'tagged_at', tagged_at
)), '[]')::text
FROM jobs_tag_mapping AS mapping
JOIN jobs ON jobs.uuid = job_uuid
JOIN tags ON tags.uuid = tag_uuid
WHERE NOT mapping.is_reported

-- name: marks/jobs_tag_mapping/write
INSERT INTO jobs_tag_mapping (job_uuid, tag_uuid, tagged_at)
SELECT jobs.uuid, tags.uuid, given.tagged_at
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (namespace text, name text, tag text, tagged_at timestamptz)
JOIN jobs ON jobs.namespace_name = given.namespace AND jobs.name = given.name
JOIN tags ON tags.name = given.tag
ON CONFLICT (tag_uuid, job_uuid) DO UPDATE SET tagged_at = excluded.tagged_at, is_reported = false

-- name: marks/dataset_schema_alerts/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'namespace', datasets.namespace_name, 'name', datasets.name, 'event_order', encode(event_order, 'hex'),
    'raised_at', raised_at, 'acknowledged_at', acknowledged_at, 'acknowledged_by', acknowledged_by, 'reason', reason
)), '[]')::text
FROM dataset_schema_alerts
JOIN datasets ON datasets.uuid = dataset_uuid
WHERE acknowledged_at IS NOT NULL

-- name: marks/dataset_schema_alerts/write
UPDATE dataset_schema_alerts AS alert
SET raised_at = given.raised_at, acknowledged_at = given.acknowledged_at, acknowledged_by = given.acknowledged_by, reason = given.reason
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (
    namespace text, name text, event_order text, raised_at timestamptz, acknowledged_at timestamptz, acknowledged_by text,
    reason text
)
JOIN datasets ON datasets.namespace_name = given.namespace AND datasets.name = given.name
WHERE alert.dataset_uuid = datasets.uuid AND alert.event_order = decode(given.event_order, 'hex')

-- name: marks/streams/read
SELECT coalesce(jsonb_agg(jsonb_build_object(
    'name', name, 'started_by', started_by, 'started_at', started_at
)), '[]')::text
FROM streams

-- name: marks/streams/write
INSERT INTO streams (name, started_by, started_at)
SELECT name, started_by, started_at
FROM jsonb_to_recordset(%(rows)s::jsonb) AS given (name text, started_by text, started_at timestamptz)
JOIN stream_schemas ON stream_schemas.stream = given.name AND stream_schemas.schema_id = 0
ON CONFLICT (name) DO NOTHING

-- name: marks/forget
-- Forgets what an earlier time has set in a new store that is not in use: since then it may have been taken back.
UPDATE tags SET description = NULL WHERE description IS NOT NULL;
UPDATE namespaces
SET description = NULL, current_owner_name = NULL, is_hidden = false
WHERE num_nonnulls(description, current_owner_name) > 0 OR is_hidden;
DELETE FROM namespace_ownerships;
UPDATE sources SET description = NULL WHERE description IS NOT NULL;
UPDATE datasets SET is_hidden = false WHERE is_hidden;
UPDATE jobs SET is_hidden = false WHERE is_hidden;
DELETE FROM datasets_tag_mapping WHERE NOT is_reported;
DELETE FROM dataset_fields_tag_mapping WHERE NOT is_reported;
DELETE FROM jobs_tag_mapping WHERE NOT is_reported;
DELETE FROM streams

-- name: number_of_marks
-- How many rows were read.
SELECT jsonb_array_length(%(rows)s::jsonb)
