-- name: search/found
-- What has a text in its name, whatever its ASCII capitals: what is named so first, then what begins so, then where a word of the
-- name begins so, then all else; of these what had an event on the last day first, of a day what is used most. Datasets stand once
-- under each of their names. What is in the namespace `left_out` is; null is none.
--
-- Without trigrams every name is read, so each is folded as cheaply as can be. Looking up when a thing was last seen, and how often it is used,
-- takes longer. So names are taken by themselves, in an order that no event changes, and `window` of them at a time are looked up
-- and put in order. `behind_` is the last name of the window before, null in the first; `until_` is the last one of this window,
-- once some of it were shown, the last of them `shown_`. Each row has the last name of its window, and whether others are behind; a
-- window of which nothing is shown has one row without a kind.
WITH sought AS (
    SELECT lower(%(text)s::text COLLATE "C") AS text
),

named AS (
    {named}
),

ranked AS (
    SELECT
        named.*,
        CASE
            WHEN folded = sought.text THEN 0
            WHEN starts_with(folded, sought.text) THEN 1
            WHEN strpos(translate(folded, '_-/. :', '      '), ' ' || sought.text) > 0 THEN 2
            ELSE 3
        END AS rank,
        length(folded) AS length
    FROM named
    CROSS JOIN sought
),

candidates AS MATERIALIZED (
    SELECT
        *,
        row_number() OVER by_name <= %(window)s
        AND (
            %(until_rank)s::integer IS NULL
            OR (rank, length, folded COLLATE "C", kind COLLATE "C", named_in, name COLLATE "C")
            <= (
                %(until_rank)s, length(lower(%(until_name)s::text COLLATE "C")), lower(%(until_name)s::text COLLATE "C"),
                %(until_kind)s::text, %(until_named_in)s::uuid, %(until_name)s::text
            )
        ) AS in_window
    FROM (
        SELECT *
        FROM ranked
        WHERE %(behind_rank)s::integer IS NULL
           OR (rank, length, folded COLLATE "C", kind COLLATE "C", named_in, name COLLATE "C")
            > (
                %(behind_rank)s, length(lower(%(behind_name)s::text COLLATE "C")), lower(%(behind_name)s::text COLLATE "C"),
                %(behind_kind)s::text, %(behind_named_in)s::uuid, %(behind_name)s::text
            )
        ORDER BY rank, length, folded COLLATE "C", kind COLLATE "C", named_in, name COLLATE "C"
        LIMIT %(window)s + 1
    ) AS candidate
    WINDOW by_name AS (ORDER BY rank, length, folded COLLATE "C", kind COLLATE "C", named_in, name COLLATE "C")
),

shown AS (
    SELECT
        'dataset' AS kind, namespace.name AS namespace, fits.name, NULL AS column_name, fits.rank, fits.length, fits.folded,
        dataset.updated_at, fits.uuid AS used_uuid
    FROM candidates AS fits
    JOIN namespaces AS namespace ON namespace.uuid = fits.named_in
    CROSS JOIN LATERAL (
        SELECT updated_at FROM datasets WHERE datasets.uuid = fits.uuid AND datasets.is_hidden IS FALSE OFFSET 0
    ) AS dataset
    WHERE fits.kind = 'dataset' AND fits.in_window
    UNION ALL
    SELECT 'job', job.namespace_name, fits.name, NULL, fits.rank, fits.length, fits.folded, job.updated_at, fits.uuid
    FROM candidates AS fits
    CROSS JOIN LATERAL (SELECT namespace_name, updated_at FROM jobs WHERE jobs.uuid = fits.uuid OFFSET 0) AS job
    WHERE fits.kind = 'job' AND fits.in_window
    UNION ALL
    -- A column that has had several types has a row for each.
    SELECT DISTINCT
        'column', dataset.namespace_name, dataset.name, fits.name, fits.rank, fits.length, fits.folded, dataset.updated_at,
        fits.uuid
    FROM candidates AS fits
    CROSS JOIN LATERAL (
        SELECT namespace_name, name, updated_at
        FROM datasets
        WHERE datasets.uuid = fits.uuid AND datasets.is_hidden IS FALSE
        OFFSET 0
    ) AS dataset
    WHERE fits.kind = 'column' AND fits.in_window
),

used AS (
    SELECT
        shown.*,
        -- In days, from whenever on.
        date '1970-01-01' - (shown.updated_at AT TIME ZONE 'UTC')::date AS age,
        use.uses
    FROM shown
    CROSS JOIN LATERAL (
        SELECT count(*)::integer AS uses
        FROM (
            SELECT
            FROM runs
            WHERE shown.kind = 'job' AND runs.job_uuid = shown.used_uuid
            UNION ALL
            SELECT
            FROM dataset_symlinks AS symlink
            JOIN job_edges AS edge ON edge.name_uuid = symlink.name_uuid
            WHERE shown.kind <> 'job'
              AND symlink.dataset_uuid = shown.used_uuid
              AND edge.role = input_role()
              AND edge.lineage_uuid = '00000000-0000-0000-0000-000000000000'
              AND edge.until_event = '\xff'
            LIMIT %(most_uses)s
        ) AS counted
    ) AS use
)

SELECT
    page.*,
    EXISTS (SELECT FROM candidates WHERE NOT in_window) AS goes_on,
    ending.rank AS end_rank,
    ending.kind AS end_kind,
    ending.named_in AS end_named_in,
    ending.name AS end_name
FROM (SELECT) AS always
LEFT JOIN LATERAL (
    SELECT rank, kind, named_in, name
    FROM candidates
    WHERE in_window
    ORDER BY rank DESC, length DESC, folded COLLATE "C" DESC, kind COLLATE "C" DESC, named_in DESC, name COLLATE "C" DESC
    LIMIT 1
) AS ending ON true
LEFT JOIN LATERAL (
    SELECT kind, namespace, name, column_name, updated_at, uses, rank, age, length, folded
    FROM used
    WHERE
        %(shown_rank)s::integer IS NULL
        OR (
            rank, age, -uses, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C",
            coalesce(column_name, '') COLLATE "C"
        )
        > (
            %(shown_rank)s,
            %(shown_age)s::integer,
            -%(shown_uses)s::integer,
            length(lower(coalesce(nullif(%(shown_column)s::text, ''), %(shown_name)s::text) COLLATE "C")),
            lower(coalesce(nullif(%(shown_column)s::text, ''), %(shown_name)s::text) COLLATE "C"),
            %(shown_kind)s::text,
            %(shown_namespace)s::text,
            %(shown_name)s::text,
            %(shown_column)s::text
        )
    ORDER BY
        rank, age, uses DESC, length, folded COLLATE "C", kind COLLATE "C", namespace COLLATE "C", name COLLATE "C",
        column_name COLLATE "C"
    LIMIT %(most)s
) AS page ON true
ORDER BY
    page.rank, page.age, page.uses DESC, page.length, page.folded COLLATE "C", page.kind COLLATE "C",
    page.namespace COLLATE "C", page.name COLLATE "C", page.column_name COLLATE "C"

-- name: search/named
-- All names that fit. A column that has had several types has a row for each; it is named in its dataset, others in a namespace.
SELECT 'dataset' AS kind, dataset_uuid AS uuid, namespace_uuid AS named_in, name, lower(name COLLATE "C") AS folded
FROM dataset_symlinks
WHERE 'dataset' = ANY (%(kinds)s)
  AND {fits}
  AND namespace_uuid IS DISTINCT FROM (SELECT uuid FROM namespaces WHERE name = %(left_out)s)
UNION ALL
SELECT 'job', uuid, namespace_uuid, name, lower(name COLLATE "C")
FROM jobs
WHERE 'job' = ANY (%(kinds)s)
  AND is_hidden IS FALSE
  AND symlink_target_uuid IS NULL
  AND {fits}
  AND namespace_name IS DISTINCT FROM %(left_out)s
UNION ALL
SELECT 'column', dataset_uuid, dataset_uuid, name, lower(name COLLATE "C")
FROM dataset_fields
WHERE 'column' = ANY (%(kinds)s)
  AND {fits}
  AND dataset_uuid NOT IN (
      SELECT uuid FROM datasets WHERE namespace_uuid = (SELECT uuid FROM namespaces WHERE name = %(left_out)s)
  )

-- name: search/has_text
strpos(lower(name COLLATE "C"), (SELECT text FROM sought)) > 0

-- name: search/has_text_by_index
-- The pattern follows from the text, and lets an index of trigrams find the names.
lower(name COLLATE "C") LIKE %(pattern)s AND strpos(lower(name COLLATE "C"), (SELECT text FROM sought)) > 0

-- name: search/likeness
-- How much of a text's trigrams a part of a name has to have, for the operator below, until the transaction ends.
SELECT set_config('pg_trgm.word_similarity_threshold', %(likeness)s, true)

-- name: search/is_similar
lower(name COLLATE "C") OPERATOR({trigrams}.%%>) %(text)s

-- name: search/similar
-- The names of which a part is most like a text, of these the shortest. What is hidden or in the namespace `left_out` is none.
-- They are put in order first, so that only the few are looked up that are shown.
WITH named AS (
    {named}
),

likened AS MATERIALIZED (
    SELECT DISTINCT named.*, {trigrams}.word_similarity(%(text)s, folded) AS likeness, length(folded) AS length
    FROM named
)

SELECT
    likened.kind,
    namespace.name AS namespace,
    CASE likened.kind WHEN 'column' THEN dataset.name ELSE likened.name END AS name,
    CASE likened.kind WHEN 'column' THEN likened.name END AS column_name
FROM (
    SELECT *
    FROM likened
    ORDER BY likeness DESC, length, folded COLLATE "C", kind COLLATE "C", named_in, uuid, name COLLATE "C"
) AS likened
LEFT JOIN LATERAL (
    SELECT name, namespace_uuid, is_hidden FROM datasets WHERE datasets.uuid = likened.uuid AND likened.kind <> 'job' OFFSET 0
) AS dataset ON true
CROSS JOIN LATERAL (
    SELECT name
    FROM namespaces
    WHERE namespaces.uuid = CASE likened.kind WHEN 'column' THEN dataset.namespace_uuid ELSE likened.named_in END
    OFFSET 0
) AS namespace
WHERE dataset.is_hidden IS NOT TRUE
ORDER BY
    likened.likeness DESC, likened.length, likened.folded COLLATE "C", likened.kind COLLATE "C", likened.named_in,
    likened.uuid, likened.name COLLATE "C"
LIMIT %(most)s
