-- The events, not normalized, that may name the dataset of a version: each once, in the order of reading. Of a version that
-- the tables do not know they are all that wait. `only_ahead` chooses those that lay ahead of their receipt.
SELECT
    arrived_xid AS xid,
    arrival_seq AS seq,
    is_ahead,
    microseconds(event_time) AS time,
    rank,
    CASE
        WHEN pg_column_size(event) <= %(small)s AND event_bytes <= %(short)s THEN convert_to(event::text, 'UTF8')
    END AS text
FROM (
    SELECT *
    FROM (
        SELECT DISTINCT ON (identity)
            arrived_xid, arrival_seq, is_ahead, event_time, event, event_bytes, identity,
            lifecycle_rank(lineage_event_type) AS rank
        FROM waiting_events
        CROSS JOIN (
            SELECT names_of_dataset((SELECT dataset_uuid FROM dataset_versions WHERE uuid = %(uuid)s)) AS names OFFSET 0
        ) AS known
        WHERE names IS NULL OR names_dataset(event, names)
        ORDER BY identity, is_ahead
    ) AS waiting
    WHERE is_ahead OR NOT %(only_ahead)s
    ORDER BY event_time, rank, identity
    OFFSET 0
) AS in_order
