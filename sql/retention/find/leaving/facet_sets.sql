-- Sets of facets that nothing names once all else has gone. An event or a mention of a run that goes names none: what is left of it are
-- facts.

-- staying_mentions: what the mentions that stay name.
CREATE TEMP TABLE staying_mentions AS
SELECT DISTINCT
    mention.schema_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.facets_uuid END AS facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.io_facets_uuid END AS io_facets_uuid,
    CASE WHEN leaving.uuid IS NULL AND event.number IS NULL THEN mention.lineage_uuid END AS lineage_uuid
FROM dataset_mentions AS mention
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = mention.run_uuid
LEFT JOIN old_job_events AS event ON event.event_order = mention.event_order AND mention.run_uuid IS NULL
LEFT JOIN leaving_mentions AS going
    ON (going.dataset_uuid, going.role, going.event_order, going.place)
        = (mention.dataset_uuid, mention.role, mention.event_order, mention.place)
WHERE going.number IS NULL;

ANALYZE staying_mentions;

-- staying_sets: the sets of facets that something names that stays.
CREATE TEMP TABLE staying_sets AS
SELECT named.uuid
FROM event_ledger AS ledger
CROSS JOIN LATERAL (VALUES (ledger.run_facets_uuid), (ledger.job_facets_uuid)) AS named (uuid)
LEFT JOIN leaving_runs AS leaving ON leaving.uuid = ledger.run_uuid
LEFT JOIN leaving_events AS going ON going.event_order = ledger.event_order
LEFT JOIN old_job_events AS old ON old.event_order = ledger.event_order
WHERE named.uuid IS NOT NULL AND leaving.uuid IS NULL AND going.number IS NULL AND old.number IS NULL
UNION
SELECT named.uuid
FROM staying_mentions AS mention
CROSS JOIN LATERAL (VALUES (mention.facets_uuid), (mention.io_facets_uuid)) AS named (uuid)
WHERE named.uuid IS NOT NULL;

ANALYZE staying_sets;

-- leaving_facet_sets: sets of facets that nothing names.
CREATE TEMP TABLE leaving_facet_sets AS
SELECT uuid, row_number() OVER (ORDER BY uuid) AS number
FROM facet_sets AS stored
WHERE EXISTS (SELECT FROM cutoffs WHERE kind = 'contents')
  AND NOT EXISTS (SELECT FROM staying_sets AS staying WHERE staying.uuid = stored.uuid);

CREATE UNIQUE INDEX ON leaving_facet_sets (uuid);
ANALYZE leaving_facet_sets;
