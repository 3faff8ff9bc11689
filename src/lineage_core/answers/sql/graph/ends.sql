-- name: things
-- What some jobs and datasets are called, whether a person has hidden them, and which of these datasets have more than one name.
SELECT uuid::text, namespace_name AS namespace, name, is_hidden IS TRUE AS is_hidden, false AS has_several_names
FROM jobs
WHERE uuid = ANY (%(jobs)s::uuid[])
UNION ALL
SELECT
    dataset.uuid::text,
    dataset.namespace_name,
    dataset.name,
    dataset.is_hidden IS TRUE,
    EXISTS (
        SELECT
        FROM identity_map AS known
        WHERE known.entity = 'datasets' AND known.uuid = dataset.uuid AND known.key_uuid <> dataset.uuid
    )
FROM datasets AS dataset
WHERE dataset.uuid = ANY (%(datasets)s::uuid[])

-- name: endings
-- Where some datasets ended, of those that did: the last time before a moment, and the first from it on.
SELECT
    ending.dataset_uuid::text,
    -- Before version 18 Postgres has no max() of bytea; in hexadecimal digits, "C" orders as the bytes do.
    decode(max(ending.hex) FILTER (WHERE ending.event_order < %(before)s), 'hex') AS last_event,
    decode(min(ending.hex) FILTER (WHERE ending.event_order >= %(before)s), 'hex') AS next_event
FROM (
    SELECT dataset_uuid, event_order, encode(event_order, 'hex') COLLATE "C" AS hex
    FROM {endings_of}(%(datasets)s::uuid[])
) AS ending
GROUP BY ending.dataset_uuid

-- name: endings_now
-- The function that says when datasets ended.
public.endings_of

-- name: endings_then
-- That of a session that shows what was known at another moment.
pg_temp.endings_of

-- name: resumed
-- The first moment of each of some jobs behind an event.
SELECT asked.number, resumed.event_order
FROM unnest(%(jobs)s::uuid[], %(behind)s::bytea[]) WITH ORDINALITY AS asked (job_uuid, behind, number)
CROSS JOIN LATERAL (
    SELECT moment.event_order
    FROM job_version_timeline AS moment
    WHERE moment.job_uuid = asked.job_uuid AND moment.event_order > asked.behind
    ORDER BY moment.event_order
    LIMIT 1
) AS resumed
