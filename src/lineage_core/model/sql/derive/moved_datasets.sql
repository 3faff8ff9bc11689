-- What was derived under a name that is another dataset's now is taken away, and derived anew by what follows.
-- again: A name becomes another dataset's.
-- reads: dataset_mentions, datasets, changed_names
-- writes: dataset_labels, dataset_symlinks, datasets.current_version_uuid
-- removes: dataset_schema_versions, dataset_version_timeline, dataset_versions
--
-- What was stored under names that turn out to be another dataset's is taken up again: the mentions of the datasets that lose
-- and gain such a name come back as if they had just arrived, and all that follows from them is made anew. Rare, so it may cost.

-- moved_datasets: the datasets that lose or gain a name under which mentions are stored, and those that share the id of a
-- version or of a schema version with one of them.
CREATE TEMP TABLE moved_datasets ON COMMIT DROP AS
WITH RECURSIVE moved (uuid) AS (
    SELECT both_sides.uuid
    FROM changed_names AS changed
    CROSS JOIN LATERAL (VALUES (changed.old_uuid), (changed.new_uuid)) AS both_sides (uuid)
    WHERE EXISTS (
        SELECT
        FROM dataset_mentions AS mention
        WHERE mention.dataset_uuid = changed.old_uuid AND mention.name_uuid = changed.name_uuid
    )
    UNION
    SELECT sharing.dataset_uuid
    FROM moved
    CROSS JOIN LATERAL (
        SELECT other.dataset_uuid
        FROM (SELECT DISTINCT version_uuid FROM dataset_mentions WHERE dataset_uuid = moved.uuid) AS named
        JOIN dataset_mentions AS other ON other.version_uuid = named.version_uuid AND other.dataset_uuid <> moved.uuid
        UNION
        SELECT other.dataset_uuid
        FROM (
            SELECT dataset_schema_version_uuid FROM dataset_versions WHERE dataset_uuid = moved.uuid
            UNION
            SELECT uuid FROM dataset_schema_versions WHERE dataset_uuid = moved.uuid
        ) AS described
        JOIN dataset_versions AS other USING (dataset_schema_version_uuid)
        WHERE other.dataset_uuid <> moved.uuid
    ) AS sharing
)
SELECT uuid FROM moved;

ANALYZE moved_datasets;

UPDATE dataset_symlinks AS stored
SET dataset_uuid = changed.new_uuid
FROM changed_names AS changed
WHERE stored.dataset_uuid = changed.old_uuid AND stored.name_uuid = changed.name_uuid;

UPDATE dataset_labels AS stored
SET dataset_uuid = changed.new_uuid
FROM changed_names AS changed
WHERE stored.dataset_uuid = changed.old_uuid AND stored.uuid = changed.name_uuid;

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
