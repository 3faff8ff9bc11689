-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- Whether the event with this place in the order lay ahead of its receipt (see event_order). Who asks for the last
-- event takes the last of those that did not, and of those that did only where there is no other; an index finds both.
CREATE OR REPLACE FUNCTION is_ahead(event_order bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN event_order >= '\x02'::bytea;
