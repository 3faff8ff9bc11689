-- The mentions of the slice with the ids in use. Outputs are kept at once, inputs when it is known what they read.
-- again: A name becomes another dataset's.
-- reads: staging.dataset_mentions, identity_map of dataset_versions, identity_map of datasets, moved_datasets, new_events
-- writes: dataset_mentions
-- removes: dataset_mentions

-- slice_mentions: the datasets that the new events name, with stored uuids, and the mentions that moved datasets give back.
-- Outputs are kept at once; which version an input read is known only after the timeline (see inputs_read.sql).
CREATE TEMP TABLE slice_mentions ON COMMIT DROP AS
SELECT
    coalesce(known_dataset.uuid, staged.name_uuid) AS dataset_uuid,
    staged.role,
    staged.event_order,
    staged.place,
    staged.name_uuid,
    staged.event_time,
    staged.run_uuid,
    coalesce(known_version.uuid, staged.own_version_uuid) AS version_uuid,
    coalesce(known_version.uuid, staged.own_version_uuid) AS own_version_uuid,
    staged.namespace_name,
    staged.dataset_name,
    staged.lifecycle_state,
    staged.schema_uuid,
    staged.lineage_uuid,
    staged.lineage_event_type,
    staged.facets_uuid,
    staged.io_facets_uuid,
    staged.is_current_at_once,
    false AS is_purged,
    NULL::uuid AS old_dataset_uuid
FROM {staging}.dataset_mentions AS staged
JOIN new_events USING (part_id, event_no)
LEFT JOIN identity_map AS known_dataset
    ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = staged.name_uuid
LEFT JOIN identity_map AS known_version
    ON known_version.entity = 'dataset_versions' AND known_version.key_uuid = staged.own_version_uuid
WHERE staged.part_id = ANY (%(parts)s);

WITH taken_up AS (
    DELETE FROM dataset_mentions AS stored
    USING moved_datasets AS moved
    WHERE stored.dataset_uuid = moved.uuid
    RETURNING stored.*
)
INSERT INTO slice_mentions
SELECT
    coalesce(known_dataset.uuid, mention.name_uuid),
    mention.role,
    mention.event_order,
    mention.place,
    mention.name_uuid,
    mention.event_time,
    mention.run_uuid,
    mention.own_version_uuid,
    mention.own_version_uuid,
    mention.namespace_name,
    mention.dataset_name,
    mention.lifecycle_state,
    mention.schema_uuid,
    mention.lineage_uuid,
    mention.lineage_event_type,
    mention.facets_uuid,
    mention.io_facets_uuid,
    mention.is_current_at_once,
    mention.is_purged,
    mention.dataset_uuid
FROM taken_up AS mention
LEFT JOIN identity_map AS known_dataset
    ON known_dataset.entity = 'datasets' AND known_dataset.key_uuid = mention.name_uuid;

CREATE INDEX ON slice_mentions (dataset_uuid, role, event_order);
ANALYZE slice_mentions;

INSERT INTO dataset_mentions (
    dataset_uuid, role, event_order, place, name_uuid, event_time, run_uuid, version_uuid, own_version_uuid,
    namespace_name, dataset_name, lifecycle_state, schema_uuid, lineage_uuid, lineage_event_type, facets_uuid, io_facets_uuid,
    is_current_at_once, is_purged
)
SELECT
    dataset_uuid, role, event_order, place, name_uuid, event_time, run_uuid, version_uuid, own_version_uuid,
    namespace_name, dataset_name, lifecycle_state, schema_uuid, lineage_uuid, lineage_event_type, facets_uuid, io_facets_uuid,
    is_current_at_once, is_purged
FROM slice_mentions
WHERE role = output_role()
ORDER BY dataset_uuid, event_order, place;
