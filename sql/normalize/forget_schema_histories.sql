-- Histories by which no schema is judged any more: some of all datasets, and all of those that have lost or gained a name.
DELETE FROM dataset_schema_histories AS stored
WHERE (stored.uuid = ANY (%(replaced)s) OR stored.dataset_uuid = ANY (%(moved)s))
  AND NOT EXISTS (SELECT FROM dataset_schema_verdicts WHERE history_uuid = stored.uuid)
