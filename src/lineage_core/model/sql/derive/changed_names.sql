-- Whose the names of datasets are, by their first claims.
-- again: A slice brings an earlier claim.
-- reads: staging.dataset_names, dataset_names
-- writes: identity_map of datasets, datasets
-- removes: identity_map of datasets
--
-- Whose the names of datasets are. A name is its own dataset's if an event named a dataset so before any had it as a symlink;
-- else it is that of the dataset whose symlink it was first. Later events change nothing of it, but late ones do.

-- A dataset that somebody else has made, as Marquez does, gets the key of its name as soon as events know that name.
UPDATE datasets AS stored
SET name_uuid = name.uuid
FROM dataset_names AS name
WHERE stored.name_uuid IS NULL AND name.uuid = key_uuid('datasets', stored.namespace_name, stored.name);

-- changed_names: names that turn out to be another dataset's than they were, or than their key says. Only names that are
-- symlinks, or were, and those that follow them can.
CREATE TEMP TABLE changed_names ON COMMIT DROP AS
WITH RECURSIVE doubtful (uuid) AS (
    SELECT name.uuid
    FROM (SELECT DISTINCT uuid FROM {staging}.dataset_names WHERE part_id = ANY (%(parts)s)) AS stated
    JOIN dataset_names AS name USING (uuid)
    LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = name.uuid
    WHERE name.claimed_by <> name.uuid OR known.uuid IS NOT NULL
    UNION
    SELECT follower.uuid
    FROM doubtful
    JOIN dataset_names AS follower ON follower.claimed_by = doubtful.uuid AND follower.claimed_by <> follower.uuid
),
traced (uuid, claimed_by) AS (
    SELECT name.uuid, name.claimed_by
    FROM doubtful
    JOIN dataset_names AS name USING (uuid)
    UNION
    SELECT traced.uuid, name.claimed_by
    FROM traced
    CROSS JOIN LATERAL (SELECT claimed_by FROM dataset_names WHERE uuid = traced.claimed_by OFFSET 0) AS name
)
SELECT
    traced.uuid AS name_uuid,
    coalesce(known.uuid, traced.uuid) AS old_uuid,
    coalesce(before.name_uuid, traced.uuid) AS old_own_name_uuid,
    coalesce(dataset.uuid, traced.claimed_by) AS new_uuid
FROM traced
CROSS JOIN LATERAL (SELECT uuid FROM dataset_names WHERE uuid = traced.claimed_by AND claimed_by = uuid OFFSET 0) AS own
LEFT JOIN datasets AS dataset ON dataset.name_uuid = own.uuid
LEFT JOIN identity_map AS known ON known.entity = 'datasets' AND known.key_uuid = traced.uuid
LEFT JOIN datasets AS before ON before.uuid = known.uuid
WHERE coalesce(known.uuid, traced.uuid) <> coalesce(dataset.uuid, traced.claimed_by);

ANALYZE changed_names;

DELETE FROM identity_map AS stored
USING changed_names AS changed
WHERE stored.entity = 'datasets' AND stored.key_uuid = changed.name_uuid AND changed.new_uuid = changed.name_uuid;

INSERT INTO identity_map (entity, key_uuid, uuid)
SELECT 'datasets', name_uuid, new_uuid
FROM changed_names
WHERE new_uuid <> name_uuid
ON CONFLICT (entity, key_uuid) DO UPDATE SET uuid = excluded.uuid;
