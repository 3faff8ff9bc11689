-- All names of the datasets of a chunk.
DELETE FROM dataset_names AS stored
USING leaving_dataset_names AS leaving
WHERE leaving.dataset_number > %(after)s AND leaving.dataset_number <= %(until)s AND stored.uuid = leaving.uuid
