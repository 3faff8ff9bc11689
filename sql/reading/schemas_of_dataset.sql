-- The fields of the versions of a dataset that were written or declared, in the order in which they became current. A version that
-- a reader made is none of them: what readers say is no change of the dataset.
SELECT dataset_versions.fields::text
FROM dataset_version_timeline AS timeline
JOIN dataset_versions ON dataset_versions.uuid = timeline.version_uuid
WHERE timeline.dataset_uuid = %(dataset)s AND timeline.is_written
ORDER BY timeline.event_order
