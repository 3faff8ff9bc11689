-- name: runs_without_end
-- Which of some runs have no event of their end.
SELECT asked.run
FROM unnest(%(runs)s::uuid[]) AS asked (run)
WHERE NOT EXISTS (
    SELECT FROM lineage_events AS event
    WHERE event.run_uuid = asked.run AND lower(event.event_type COLLATE "C") = ANY (%(endings)s)
)
