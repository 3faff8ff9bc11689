-- Microseconds since 1970 of a point in time, exactly. Agrees with lineage_core.instants.microseconds. Stable as `extract` is, so
-- that the planner takes it into the statement that calls it.
CREATE OR REPLACE FUNCTION microseconds(instant timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (extract(epoch FROM instant) * 1000000)::bigint;
