-- The versions of a dataset that were written or declared, in the order in which they became current, with the fields of each.
-- A version that a reader made is none of them: what readers say is no change of the dataset.
SELECT
    dataset_versions.uuid AS version,
    coalesce(event_ledger.event_time, dataset_versions.created_at) AS current_from,
    dataset_versions.fields
FROM dataset_version_timeline AS timeline
JOIN dataset_versions ON dataset_versions.uuid = timeline.version_uuid
LEFT JOIN event_ledger USING (event_order)
WHERE timeline.dataset_uuid = %(dataset)s AND timeline.is_written
ORDER BY timeline.event_order
