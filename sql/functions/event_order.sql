-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- The place of an event in the order of all: its verdict, whether it lay ahead of its receipt, and its identity (see
-- event_identity). So events that lay ahead come behind all others.
CREATE OR REPLACE FUNCTION event_order(identity bytea, is_ahead boolean) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN is_ahead THEN '\x02'::bytea ELSE '\x01'::bytea END || identity;
