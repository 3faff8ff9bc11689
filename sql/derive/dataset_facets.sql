-- Facets of new events, each with the version that its mention wrote or read; facets of mentions that moved follow them.
INSERT INTO dataset_facets (
    created_at, dataset_uuid, dataset_version_uuid, run_uuid, lineage_event_time, lineage_event_type, type, name, facet,
    mention_id
)
SELECT
    staged.created_at,
    mention.dataset_uuid,
    mention.version_uuid,
    staged.run_uuid,
    staged.lineage_event_time,
    staged.lineage_event_type,
    staged.type,
    staged.name,
    staged.facet,
    staged.mention_id
FROM {staging}.dataset_facets AS staged
JOIN new_events USING (part_id, event_no)
JOIN slice_mentions AS mention
    ON mention.mention_id = staged.mention_id AND mention.event_order = new_events.event_order
WHERE staged.part_id = ANY (%(parts)s);

UPDATE dataset_facets AS stored
SET dataset_uuid = mention.dataset_uuid,
    dataset_version_uuid = mention.version_uuid
FROM slice_mentions AS mention
WHERE stored.dataset_uuid = mention.old_dataset_uuid
  AND stored.mention_id = mention.mention_id
  AND stored.run_uuid IS NOT DISTINCT FROM mention.run_uuid;

UPDATE dataset_facets AS stored
SET dataset_version_uuid = moved.version_uuid
FROM moved_reads AS moved
WHERE stored.run_uuid = moved.run_uuid AND stored.mention_id = moved.mention_id;

UPDATE dataset_facets AS stored
SET dataset_version_uuid = moved.version_uuid
FROM moved_reads AS moved
WHERE moved.run_uuid IS NULL
  AND stored.run_uuid IS NULL
  AND stored.dataset_uuid = moved.dataset_uuid
  AND stored.mention_id = moved.mention_id;
