-- The partitions of lineage_events of which the last normalization run knows that their arrival numbers are of here. What is in
-- another one may count as done by its number, and not be.
CREATE OR REPLACE FUNCTION known_event_partitions() RETURNS oid[]
LANGUAGE sql STABLE
AS $$
    SELECT coalesce(array_agg(split_part(attached, ':', 1)::oid), '{}')
    FROM public.watermarks
    CROSS JOIN LATERAL unnest(public.event_partitions()) AS attached
    WHERE name = 'normalize' AND attached = ANY (partitions)
$$;
