-- Rendered from model/tables/jobs.py by `lineage sql`: edit that file, not this one.
-- jobs.parent_event of an event that names a parent.
CREATE OR REPLACE FUNCTION order_with_parent(event_order bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '\x00'::bytea || event_order;
