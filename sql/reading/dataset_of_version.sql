-- The dataset of a dataset version.
SELECT dataset_uuid FROM dataset_versions WHERE uuid = %(uuid)s
