-- Deletes archived raw events; how many.
SELECT delete_archived_events(
    %(arrived_xids)s, %(arrival_seqs)s, ARRAY(SELECT instant(given) FROM unnest(%(event_times)s::bigint[]) AS given)
)
