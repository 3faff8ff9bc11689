-- The point in time that so many microseconds since 1970 are, exactly. Agrees with lineage_core.instants.instant. A product
-- with an interval would go through float8, which is exact only up to the year 2255: here hours are whole, and float8 has the
-- microseconds of less than one. Hours, not days, whose length depends on the time zone.
CREATE OR REPLACE FUNCTION instant(microseconds bigint) RETURNS timestamptz
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN timestamptz '1970-01-01 00:00:00+00' + make_interval(
    hours => (microseconds / 3600000000)::integer,
    secs => (microseconds % 3600000000)::double precision / 1000000
);
