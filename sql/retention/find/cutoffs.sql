-- cutoffs: before when things go, by kind and namespace, but for the last `keep_last`. Of a namespace that is emptied, jobs and
-- datasets go with all that is theirs; the rest stays whole. `as_of` is the moment from which ages count.
CREATE TEMP TABLE cutoffs AS
SELECT kind, namespace, before, keep_last, is_emptied, %(as_of)s::timestamptz AS as_of
FROM unnest(
    %(kinds)s::text[], %(namespaces)s::text[], %(befores)s::timestamptz[], %(kept)s::integer[], %(emptied)s::boolean[]
) AS given (kind, namespace, before, keep_last, is_emptied)
