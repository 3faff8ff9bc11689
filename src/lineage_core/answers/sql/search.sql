-- name: search/found
-- What has a text in its name, whatever its capitals: what is named so first, then what begins so, then where a word of the name
-- begins so, then all else; of these the shortest names first. Datasets stand once under each of their names.
SELECT kind, namespace, name, column_name, rank, length, folded
FROM (
    SELECT
        named.*,
        CASE
            WHEN named.folded = sought.text THEN 0
            WHEN starts_with(named.folded, sought.text) THEN 1
            WHEN strpos(translate(named.folded, '_-/. :', '      '), ' ' || sought.text) > 0 THEN 2
            ELSE 3
        END AS rank,
        length(named.folded) AS length
    FROM (SELECT ignoring_case(%(text)s)) AS sought (text)
    CROSS JOIN LATERAL (
        SELECT 'dataset' AS kind, namespace_name AS namespace, name, NULL AS column_name, folded
        FROM datasets_view
        CROSS JOIN LATERAL (SELECT ignoring_case(name)) AS written (folded)
        WHERE 'dataset' = ANY (%(kinds)s) AND strpos(folded, sought.text) > 0
        UNION ALL
        SELECT 'job', namespace_name, name, NULL, folded
        FROM jobs
        CROSS JOIN LATERAL (SELECT ignoring_case(name)) AS written (folded)
        WHERE 'job' = ANY (%(kinds)s)
          AND is_hidden IS FALSE
          AND symlink_target_uuid IS NULL
          AND strpos(folded, sought.text) > 0
        UNION ALL
        SELECT DISTINCT 'column', dataset.namespace_name, dataset.name, field.name, folded
        FROM dataset_fields AS field
        JOIN datasets AS dataset ON dataset.uuid = field.dataset_uuid AND dataset.is_hidden IS FALSE
        CROSS JOIN LATERAL (SELECT ignoring_case(field.name)) AS written (folded)
        WHERE 'column' = ANY (%(kinds)s) AND strpos(folded, sought.text) > 0
    ) AS named
) AS found
WHERE %(rank)s::integer IS NULL
   OR (rank, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C")
      > (%(rank)s, %(length)s, %(folded)s, %(kind)s, %(namespace)s, %(name)s)
ORDER BY rank, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C"
LIMIT %(most)s
