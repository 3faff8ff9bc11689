-- Facets that are kept once a run: those of the first event that has them. The others' contents go.
-- again: An earlier event has the facet.
-- reads: staging.run_facets_kept_once
-- writes: run_facets_kept_once
-- removes: facets
-- before: model/derive/unreferenced
--
-- Facets that are kept once a run: those of the first event that has them. What other events say is not kept, so its content
-- goes, unless another run keeps it. No set has such a content: its id is its own (see lineage_core.model.meaning.facet_rows).

-- doubtful_facets: the contents that runs may keep no longer. They are all that the slice brings, and those that it may replace.
CREATE TEMP TABLE doubtful_facets ON COMMIT DROP AS
SELECT facet_uuid
FROM {staging}.run_facets_kept_once
WHERE part_id = ANY (%(parts)s)
UNION
SELECT stored.facet_uuid
FROM {staging}.run_facets_kept_once AS staged
JOIN run_facets_kept_once AS stored USING (run_uuid, name)
WHERE staged.part_id = ANY (%(parts)s);

INSERT INTO run_facets_kept_once AS stored (
    run_uuid, name, facet_uuid, event_time, lineage_event_type, first_event
)
SELECT DISTINCT ON (run_uuid, name COLLATE "C")
    run_uuid,
    name,
    facet_uuid,
    event_time,
    lineage_event_type,
    first_event
FROM {staging}.run_facets_kept_once
WHERE part_id = ANY (%(parts)s)
ORDER BY run_uuid, name COLLATE "C", first_event
ON CONFLICT (run_uuid, name) DO UPDATE SET
    facet_uuid = excluded.facet_uuid,
    event_time = excluded.event_time,
    lineage_event_type = excluded.lineage_event_type,
    first_event = excluded.first_event
WHERE excluded.first_event < stored.first_event;

DELETE FROM facets AS stored
USING doubtful_facets AS doubtful
WHERE stored.uuid = doubtful.facet_uuid
  AND NOT EXISTS (SELECT FROM run_facets_kept_once AS kept WHERE kept.facet_uuid = stored.uuid);
