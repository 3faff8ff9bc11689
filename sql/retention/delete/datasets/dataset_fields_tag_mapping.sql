-- The tags of the columns of the datasets of a chunk.
DELETE FROM dataset_fields_tag_mapping AS stored
USING leaving_datasets AS leaving, dataset_fields AS field
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND field.dataset_uuid = leaving.uuid
  AND stored.dataset_field_uuid = field.uuid
