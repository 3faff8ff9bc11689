-- Rows of dataset_column_lineages of a chunk, which nothing names.
DELETE FROM dataset_column_lineages AS stored
USING leaving_dataset_column_lineages AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
