-- Which versions mentions make or unmake, and what their first mentions say.
-- again: A mention makes, changes or unmakes a version.
-- reads: dataset_mentions, dataset_schemas, dataset_versions, moved_reads, slice_mentions
--
-- The versions that new or moved mentions make or unmake. A mention makes a version if it has its own: an output always, an
-- input if it is the first to know the dataset. A version is what its first mention says. Where names are made for it, mentions
-- of two datasets, of two lifecycle states or of two sets of fields make one version, so that all it says may change with the
-- first.

-- recounted_versions: the versions that an earlier read makes no longer, or makes now. Their other mentions have to be looked
-- for.
CREATE TEMP TABLE recounted_versions ON COMMIT DROP AS
SELECT old_version_uuid AS version_uuid FROM moved_reads WHERE old_version_uuid = own_version_uuid
UNION
SELECT version_uuid FROM moved_reads WHERE version_uuid = own_version_uuid;

ANALYZE recounted_versions;

-- made_versions: versions that are new, that have another first mention than before, or that are counted anew.
CREATE TEMP TABLE made_versions ON COMMIT DROP AS
SELECT
    making.version_uuid,
    making.first_event,
    making.dataset_uuid,
    making.event_time AS created_at,
    making.namespace_name,
    making.dataset_name,
    making.lifecycle_state,
    described.fields,
    described.schema_version_uuid
FROM (
    (
        SELECT DISTINCT ON (version_uuid)
            version_uuid, event_order || int4send(place) AS first_event, dataset_uuid, event_time, namespace_name,
            dataset_name, lifecycle_state, schema_uuid, false AS is_recounted
        FROM slice_mentions
        WHERE version_uuid = own_version_uuid
          AND version_uuid NOT IN (SELECT recounted.version_uuid FROM recounted_versions AS recounted)
        ORDER BY version_uuid, event_order, place
    )
    UNION ALL
    SELECT
        recounted.version_uuid, first_mention.event_order || int4send(first_mention.place), first_mention.dataset_uuid,
        first_mention.event_time, first_mention.namespace_name, first_mention.dataset_name,
        first_mention.lifecycle_state, first_mention.schema_uuid, true
    FROM recounted_versions AS recounted
    CROSS JOIN LATERAL (
        SELECT *
        FROM dataset_mentions
        WHERE version_uuid = recounted.version_uuid AND own_version_uuid = recounted.version_uuid
        ORDER BY event_order, place
        LIMIT 1
    ) AS first_mention
) AS making
JOIN dataset_schemas AS described ON described.uuid = making.schema_uuid
LEFT JOIN dataset_versions AS stored ON stored.uuid = making.version_uuid
WHERE making.is_recounted OR stored.first_event IS NULL OR making.first_event < stored.first_event;

ANALYZE made_versions;

-- written_versions: the versions that the slice's runs write.
CREATE TEMP TABLE written_versions ON COMMIT DROP AS
SELECT DISTINCT version_uuid, run_uuid FROM slice_mentions WHERE role = output_role() AND run_uuid IS NOT NULL AND NOT is_purged;

ANALYZE written_versions;

-- unmade_versions: the versions that no mention makes any more.
CREATE TEMP TABLE unmade_versions ON COMMIT DROP AS
SELECT recounted.version_uuid
FROM recounted_versions AS recounted
LEFT JOIN made_versions AS made USING (version_uuid)
WHERE made.version_uuid IS NULL;

ANALYZE unmade_versions;
