-- The owners of datasets, by the last facet that says them.
-- again: A facet says some, or a name becomes another dataset's.
-- reads: dataset_labels, owners, labelled_datasets
-- writes: dataset_ownerships
-- removes: dataset_ownerships
-- before: model/derive/unreferenced
--
-- A facet counts under whichever name of the dataset it came.

-- reported_dataset_owners: the owners that each dataset that the slice labels should have.
CREATE TEMP TABLE reported_dataset_owners ON COMMIT DROP AS
SELECT latest.dataset_uuid, owners.uuid AS owner_uuid, stated.type, latest.owners_reported_at AS reported_at
FROM (
    SELECT DISTINCT ON (dataset_uuid) dataset_uuid, owners, owners_reported_at
    FROM labelled_datasets
    JOIN dataset_labels USING (dataset_uuid)
    WHERE owners_event IS NOT NULL
    ORDER BY dataset_uuid, owners_event DESC
) AS latest
CROSS JOIN LATERAL jsonb_to_recordset(latest.owners) AS stated (name text, type text)
JOIN owners USING (name);

DELETE FROM dataset_ownerships AS stored
USING labelled_datasets AS labelled
WHERE stored.dataset_uuid = labelled.dataset_uuid
  AND NOT EXISTS (
      SELECT
      FROM reported_dataset_owners AS reported
      WHERE reported.dataset_uuid = stored.dataset_uuid
        AND reported.owner_uuid = stored.owner_uuid
        AND reported.type = stored.type
  );

INSERT INTO dataset_ownerships AS stored (dataset_uuid, owner_uuid, type, reported_at)
SELECT dataset_uuid, owner_uuid, type, reported_at
FROM reported_dataset_owners
ORDER BY dataset_uuid, owner_uuid, type COLLATE "C"
ON CONFLICT (dataset_uuid, owner_uuid, type) DO UPDATE SET reported_at = excluded.reported_at
WHERE stored.reported_at <> excluded.reported_at;
