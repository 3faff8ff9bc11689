-- Rows of dataset_schemas of a chunk, which nothing names.
DELETE FROM dataset_schemas AS stored
USING leaving_dataset_schemas AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
