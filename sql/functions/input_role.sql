-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- dataset_mentions.role of an input.
CREATE OR REPLACE FUNCTION input_role() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1;
