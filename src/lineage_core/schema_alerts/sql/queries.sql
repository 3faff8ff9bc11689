-- name: status/schema_changes
-- The alerts of schema changes that are open.
SELECT count(*) AS alerts, max(changed_at) AS last_at FROM dataset_schema_alerts_open

-- name: alerts
-- Alerts of schema changes, those that are open or all.
SELECT
    alert.id,
    dataset.namespace_name AS dataset_namespace,
    dataset.name AS dataset_name,
    alert.version_uuid AS version,
    alert.changed_at,
    alert.job_namespace || '/' || alert.job_name AS job,
    alert.run_uuid AS run,
    alert.refusals,
    alert.raised_at,
    open.id IS NOT NULL AS is_open,
    alert.resolved_at,
    alert.resolution,
    alert.acknowledged_at,
    alert.acknowledged_by,
    alert.reason
FROM dataset_schema_alerts AS alert
JOIN datasets AS dataset ON dataset.uuid = alert.dataset_uuid
LEFT JOIN dataset_schema_alerts_open AS open ON open.id = alert.id
WHERE %(closed)s OR open.id IS NOT NULL
ORDER BY alert.id

-- name: acknowledge
-- A person knows of alerts of schema changes. One that is raised again later is open again. The clock moves on within a transaction,
-- so that an alert of the same moment is older.
UPDATE dataset_schema_alerts
SET acknowledged_at = clock_timestamp(), acknowledged_by = session_user, reason = %(reason)s
WHERE id = ANY (%(ids)s)
RETURNING id

-- name: checks/schema_changes
-- Alerts of schema changes that are open, by dataset; the ten datasets with the latest.
SELECT format(
    'The schema of %s in %s broke a rule %s times, the last time at %s', dataset_name, dataset_namespace, count(*), max(changed_at)
)
FROM dataset_schema_alerts_open
GROUP BY dataset_namespace, dataset_name
ORDER BY max(changed_at) DESC
LIMIT 10
