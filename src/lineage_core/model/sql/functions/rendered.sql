-- name: dataset_facet_type
-- Rendered from openlineage/facets by `lineage sql`: edit that file, not this one.
-- What Marquez calls a facet of a dataset, by its name alone.
CREATE OR REPLACE FUNCTION dataset_facet_type(name text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    SELECT CASE
        WHEN public.ignoring_case(name) IN (
            'columnlineage',
            'datasource',
            'description',
            'documentation',
            'lifecyclestatechange',
            'ownership',
            'schema',
            'version'
        ) THEN 'DATASET'
        WHEN public.ignoring_case(name) IN (
            'dataqualityassertions',
            'dataqualitymetrics'
        ) THEN 'INPUT'
        WHEN public.ignoring_case(name) IN (
            'outputstatistics'
        ) THEN 'OUTPUT'
        ELSE 'UNKNOWN'
    END
$$;

-- name: lifecycle_rank
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- Where events of this type stand among those of the same instant: START first, endings last.
CREATE OR REPLACE FUNCTION lifecycle_rank(event_type text) RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE lower(event_type COLLATE "C")
    WHEN 'start' THEN 0
    WHEN 'complete' THEN 2
    WHEN 'fail' THEN 2
    WHEN 'abort' THEN 2
    ELSE 1
END;

-- name: event_order
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- The place of an event in the order of all: its verdict, whether it lay ahead of its receipt, and its identity (see
-- event_identity). So events that lay ahead come behind all others.
CREATE OR REPLACE FUNCTION event_order(identity bytea, is_ahead boolean) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE WHEN is_ahead THEN '\x02'::bytea ELSE '\x01'::bytea END || identity;

-- name: is_ahead
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- Whether the event with this place in the order lay ahead of its receipt (see event_order). Who asks for the last
-- event takes the last of those that did not, and of those that did only where there is no other; an index finds both.
CREATE OR REPLACE FUNCTION is_ahead(event_order bytea) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN event_order >= '\x02'::bytea;

-- name: order_with_parent
-- Rendered from model/tables/jobs.py by `lineage sql`: edit that file, not this one.
-- jobs.parent_event of an event that names a parent.
CREATE OR REPLACE FUNCTION order_with_parent(event_order bytea) RETURNS bytea
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN '\x00'::bytea || event_order;

-- name: state_mentions
-- Rendered from model/tables/parent_mentions.py by `lineage sql`: edit that file, not this one.
-- What an event may say of the state of the run that it names as its parent, as parent_mentions.says has it.
CREATE OR REPLACE FUNCTION state_mentions()
RETURNS TABLE (says integer, is_running boolean, is_ending boolean, is_ahead boolean)
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
    VALUES
        (0, false, false, false),
        (1, true, false, false),
        (2, false, true, false),
        (3, false, false, true),
        (4, true, false, true),
        (5, false, true, true)
$$;

-- name: input_role
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- dataset_mentions.role of an input.
CREATE OR REPLACE FUNCTION input_role() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1;

-- name: output_role
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- dataset_mentions.role of an output.
CREATE OR REPLACE FUNCTION output_role() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2;

-- name: running_rank
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- lifecycle_rank() of what begins or ends no run.
CREATE OR REPLACE FUNCTION running_rank() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 1;

-- name: ending_rank
-- Rendered from openlineage/events.py by `lineage sql`: edit that file, not this one.
-- lifecycle_rank() of an ending.
CREATE OR REPLACE FUNCTION ending_rank() RETURNS integer
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN 2;
