-- The events of a run that are not normalized and may have a facet which is kept once a run: the first event first.
SELECT
    arrived_xid AS xid,
    arrival_seq AS seq,
    is_ahead,
    microseconds(event_time) AS time,
    lifecycle_rank(lineage_event_type) AS rank,
    NULL AS text
FROM (
    SELECT DISTINCT ON (identity) *
    FROM waiting_events
    WHERE run_uuid = %(uuid)s AND kind = 'RUN_EVENT' AND event #> ARRAY['run', 'facets', %(name)s] IS NOT NULL
    ORDER BY identity, is_ahead
) AS waiting
ORDER BY is_ahead, identity
