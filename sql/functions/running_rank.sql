-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- lifecycle_rank() of what begins or ends no run.
CREATE OR REPLACE FUNCTION running_rank() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1;
