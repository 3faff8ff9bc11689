-- name: capture/stream_versions
-- Rendered from streams/tables.py by `lineage sql`: edit the declaration, not this file.
SELECT capture_table('stream_versions', '{stream_versions}', '{dataset_version_uuid,schema_location}');
