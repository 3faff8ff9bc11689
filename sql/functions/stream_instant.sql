-- A point in time as streams have it: microseconds since 1970. What is infinite, or too far away, is as far as a bigint goes.
CREATE OR REPLACE FUNCTION stream_instant(instant timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN least(greatest(extract(epoch FROM instant) * 1000000, -9223372036854775807), 9223372036854775807)::bigint;
