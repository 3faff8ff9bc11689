-- The alerts of schema changes that are open.
SELECT count(*) AS alerts, max(changed_at) AS last_at FROM dataset_schema_alerts_open
