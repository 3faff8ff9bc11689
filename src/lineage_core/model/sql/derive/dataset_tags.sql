-- The tags of datasets and of their columns, by the last facet that says them.
-- again: A facet says some, a column of a tagged dataset is described, or a name becomes another dataset's.
-- reads: staging.dataset_labels, staging.dataset_schemas, dataset_fields, dataset_labels, dataset_schemas, datasets, tags,
--     changed_names, moved_datasets
-- writes: dataset_fields_tag_mapping, datasets_tag_mapping
-- removes: dataset_fields_tag_mapping, datasets_tag_mapping
-- before: model/derive/unreferenced
--
-- A facet counts under whichever name of the dataset it came. A column bears a tag as soon as it is known. What people put there
-- is not touched.

-- labelled_datasets: the datasets that the slice labels, those whose columns it describes, those that lose or gain a name, and
-- those whose columns are made anew.
CREATE TEMP TABLE labelled_datasets ON COMMIT DROP AS
SELECT label.dataset_uuid
FROM {staging}.dataset_labels AS staged
JOIN dataset_labels AS label USING (uuid)
WHERE staged.part_id = ANY (%(parts)s)
UNION
SELECT label.dataset_uuid
FROM {staging}.dataset_schemas AS staged
JOIN dataset_schemas AS described USING (uuid)
JOIN datasets AS dataset ON dataset.name_uuid = described.own_name_uuid
JOIN dataset_labels AS label ON label.dataset_uuid = dataset.uuid
WHERE staged.part_id = ANY (%(parts)s)
UNION
SELECT side.uuid
FROM changed_names AS changed
CROSS JOIN LATERAL (VALUES (changed.old_uuid), (changed.new_uuid)) AS side (uuid)
JOIN datasets ON datasets.uuid = side.uuid
UNION
SELECT label.dataset_uuid
FROM moved_datasets AS moved
JOIN dataset_labels AS label ON label.dataset_uuid = moved.uuid;

-- reported_dataset_tags: the tags that each of these datasets should bear.
CREATE TEMP TABLE reported_dataset_tags ON COMMIT DROP AS
SELECT latest.dataset_uuid, tags.uuid AS tag_uuid, stated.field, latest.tags_reported_at AS tagged_at
FROM (
    SELECT DISTINCT ON (dataset_uuid) dataset_uuid, tags, tags_reported_at
    FROM labelled_datasets
    JOIN dataset_labels USING (dataset_uuid)
    WHERE tags_event IS NOT NULL
    ORDER BY dataset_uuid, tags_event DESC
) AS latest
CROSS JOIN LATERAL jsonb_to_recordset(latest.tags) AS stated (name text, field text)
JOIN tags USING (name);

DELETE FROM datasets_tag_mapping AS stored
USING labelled_datasets AS labelled
WHERE stored.dataset_uuid = labelled.dataset_uuid
  AND stored.is_reported
  AND NOT EXISTS (
      SELECT
      FROM reported_dataset_tags AS reported
      WHERE reported.dataset_uuid = stored.dataset_uuid
        AND reported.tag_uuid = stored.tag_uuid
        AND reported.field IS NULL
  );

INSERT INTO datasets_tag_mapping AS stored (dataset_uuid, tag_uuid, tagged_at, is_reported)
SELECT dataset_uuid, tag_uuid, tagged_at AT TIME ZONE 'UTC', true
FROM reported_dataset_tags
WHERE field IS NULL
ORDER BY tag_uuid, dataset_uuid
ON CONFLICT (tag_uuid, dataset_uuid) DO UPDATE SET tagged_at = excluded.tagged_at
WHERE stored.is_reported AND stored.tagged_at <> excluded.tagged_at;

DELETE FROM dataset_fields_tag_mapping AS stored
USING labelled_datasets AS labelled, dataset_fields AS field
WHERE field.dataset_uuid = labelled.dataset_uuid
  AND stored.dataset_field_uuid = field.uuid
  AND stored.is_reported
  AND NOT EXISTS (
      SELECT
      FROM reported_dataset_tags AS reported
      WHERE reported.dataset_uuid = field.dataset_uuid
        AND reported.tag_uuid = stored.tag_uuid
        AND reported.field = field.name
  );

INSERT INTO dataset_fields_tag_mapping AS stored (dataset_field_uuid, tag_uuid, tagged_at, is_reported)
SELECT field.uuid, reported.tag_uuid, reported.tagged_at AT TIME ZONE 'UTC', true
FROM reported_dataset_tags AS reported
JOIN dataset_fields AS field ON field.dataset_uuid = reported.dataset_uuid AND field.name = reported.field
ORDER BY reported.tag_uuid, field.uuid
ON CONFLICT (tag_uuid, dataset_field_uuid) DO UPDATE SET tagged_at = excluded.tagged_at
WHERE stored.is_reported AND stored.tagged_at <> excluded.tagged_at;
