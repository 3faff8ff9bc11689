-- The facets that no table could be filled of, counted by facet, fault and producer; `path` is that of the last one.
SELECT
    name,
    reason,
    producer,
    count(*) AS facets,
    min(event_time) AS first_time,
    max(event_time) AS last_time,
    (array_agg(path ORDER BY event_order DESC, path COLLATE "C"))[1] AS path
FROM unreadable_facets
GROUP BY name, reason, producer
ORDER BY count(*) DESC, name COLLATE "C", reason COLLATE "C", producer COLLATE "C"
