-- cutoffs: before when things go, by kind and namespace, but for the last `keep_last`.
CREATE TEMP TABLE cutoffs AS
SELECT kind, namespace, before, keep_last
FROM unnest(%(kinds)s::text[], %(namespaces)s::text[], %(befores)s::timestamptz[], %(kept)s::integer[])
    AS given (kind, namespace, before, keep_last)
