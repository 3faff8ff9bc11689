-- name: checks/schema_changes
-- Alerts of schema changes that are open, by dataset; the ten datasets with the latest.
SELECT format(
    'The schema of %s in %s broke a rule %s times, the last time at %s', dataset_name, dataset_namespace, count(*), max(changed_at)
)
FROM dataset_schema_alerts_open
GROUP BY dataset_namespace, dataset_name
ORDER BY max(changed_at) DESC
LIMIT 10
