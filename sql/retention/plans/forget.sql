-- Forgets what went by plans that were made too long ago to be carried out.
WITH old AS (
    SELECT id FROM retention_plans WHERE planned_at < now() - %(after)s::interval
),
events AS (
    DELETE FROM retention_plan_events USING old WHERE plan = old.id
)
DELETE FROM retention_plan_keys USING old WHERE plan = old.id
