-- name: search/found
-- What has a text in its name, whatever its ASCII capitals: what is named so first, then what begins so, then where a word of the
-- name begins so, then all else; of these the shortest names first. Datasets stand once under each of their names.
-- What is in the namespace `left_out` is; null is none.
--
-- Every name is read, so each is folded as cheaply as can be. What it belongs to is looked for by its key, and so only where it
-- fits (OFFSET 0): Postgres takes a third of all names to fit, and would read all datasets for them.
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
    FROM (SELECT lower(%(text)s::text COLLATE "C")) AS sought (text)
    CROSS JOIN LATERAL (
        SELECT 'dataset' AS kind, namespace.name AS namespace, fits.name, NULL AS column_name, fits.folded
        FROM (
            SELECT dataset_uuid, namespace_uuid, name, lower(name COLLATE "C") AS folded
            FROM dataset_symlinks
            WHERE 'dataset' = ANY (%(kinds)s) AND strpos(lower(name COLLATE "C"), sought.text) > 0
        ) AS fits
        JOIN namespaces AS namespace ON namespace.uuid = fits.namespace_uuid
        CROSS JOIN LATERAL (
            SELECT FROM datasets WHERE datasets.uuid = fits.dataset_uuid AND datasets.is_hidden IS FALSE OFFSET 0
        ) AS shown
        UNION ALL
        SELECT 'job', namespace_name, name, NULL, lower(name COLLATE "C")
        FROM jobs
        WHERE 'job' = ANY (%(kinds)s)
          AND is_hidden IS FALSE
          AND symlink_target_uuid IS NULL
          AND strpos(lower(name COLLATE "C"), sought.text) > 0
        UNION ALL
        SELECT DISTINCT 'column', shown.namespace_name, shown.name, fits.name, lower(fits.name COLLATE "C")
        FROM (
            SELECT dataset_uuid, name
            FROM dataset_fields
            WHERE 'column' = ANY (%(kinds)s) AND strpos(lower(name COLLATE "C"), sought.text) > 0
        ) AS fits
        CROSS JOIN LATERAL (
            SELECT datasets.namespace_name, datasets.name
            FROM datasets
            WHERE datasets.uuid = fits.dataset_uuid AND datasets.is_hidden IS FALSE
            OFFSET 0
        ) AS shown
    ) AS named
) AS found
WHERE namespace IS DISTINCT FROM %(left_out)s
  AND (
      %(rank)s::integer IS NULL
      OR (rank, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C")
      > (%(rank)s, %(length)s, %(folded)s, %(kind)s, %(namespace)s, %(name)s)
  )
ORDER BY rank, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C"
LIMIT %(most)s
