-- Those of some roles that the cluster does not have.
SELECT role FROM unnest(%(roles)s::text[]) AS role WHERE to_regrole(role) IS NULL
