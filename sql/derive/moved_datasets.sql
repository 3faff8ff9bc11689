-- What was stored under names that turn out to be another dataset's is taken up again: the mentions of the datasets that lose
-- and gain such a name come back as if they had just arrived, and all that follows from them is made anew. Rare, so it may cost.

-- moved_datasets: the datasets that lose or gain a name under which mentions are stored.
CREATE TEMP TABLE moved_datasets ON COMMIT DROP AS
SELECT DISTINCT both_sides.uuid
FROM changed_names AS changed
CROSS JOIN LATERAL (VALUES (changed.old_uuid), (changed.new_uuid)) AS both_sides (uuid)
WHERE EXISTS (
    SELECT
    FROM dataset_mentions AS mention
    WHERE mention.dataset_uuid = changed.old_uuid AND mention.name_uuid = changed.name_uuid
);

ANALYZE moved_datasets;

UPDATE dataset_symlinks AS stored
SET dataset_uuid = changed.new_uuid
FROM changed_names AS changed
WHERE stored.dataset_uuid = changed.old_uuid AND stored.name_uuid = changed.name_uuid;

UPDATE dataset_labels AS stored
SET dataset_uuid = changed.new_uuid
FROM changed_names AS changed
WHERE stored.dataset_uuid = changed.old_uuid AND stored.uuid = changed.name_uuid;

-- Facets stay, and find their versions again (see dataset_facets.sql).
UPDATE dataset_facets AS stored
SET dataset_version_uuid = NULL
FROM moved_datasets AS moved
WHERE stored.dataset_uuid = moved.uuid AND stored.dataset_version_uuid IS NOT NULL;

DELETE FROM dataset_version_timeline AS stored
USING moved_datasets AS moved
WHERE stored.dataset_uuid = moved.uuid;

DELETE FROM dataset_versions AS stored
USING moved_datasets AS moved
WHERE stored.dataset_uuid = moved.uuid;

DELETE FROM dataset_schema_versions AS stored
USING moved_datasets AS moved
WHERE stored.dataset_uuid = moved.uuid;

UPDATE datasets AS stored
SET current_version_uuid = NULL
FROM moved_datasets AS moved
WHERE stored.uuid = moved.uuid AND stored.current_version_uuid IS NOT NULL;
