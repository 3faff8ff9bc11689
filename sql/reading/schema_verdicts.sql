-- The verdicts on the schemas of a dataset, in the order in which its versions became current.
SELECT version_uuid AS version, current_from, event_order, verdict, changes, refusals, fencing
FROM dataset_schema_verdicts
WHERE dataset_uuid = %(dataset)s
ORDER BY event_order
