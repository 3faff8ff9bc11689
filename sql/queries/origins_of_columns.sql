-- Which columns each column of a dataset comes from, as the newest event of it says.
WITH newest AS (
    SELECT facet -> 'columnLineage' -> 'fields' AS fields
    FROM dataset_facets
    JOIN datasets ON datasets.uuid = dataset_facets.dataset_uuid
    WHERE datasets.name = %(dataset)s AND dataset_facets.name = 'columnLineage'
    ORDER BY lineage_event_time DESC
    LIMIT 1
)
SELECT field.key AS "column",
       input.value ->> 'name' || '.' || (input.value ->> 'field') AS comes_from,
       string_agg(DISTINCT lower(way.value ->> 'subtype'), ', ') AS by_way_of
FROM newest,
     jsonb_each(newest.fields) AS field,
     jsonb_array_elements(field.value -> 'inputFields') AS input
LEFT JOIN LATERAL jsonb_array_elements(input.value -> 'transformations') AS way ON true
GROUP BY 1, 2
ORDER BY 1, 2
