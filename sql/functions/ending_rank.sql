-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- lifecycle_rank() of an ending.
CREATE OR REPLACE FUNCTION ending_rank() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2;
