-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- dataset_mentions.role of an output.
CREATE OR REPLACE FUNCTION output_role() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2;
