-- Forgets which raw events went by plans that were made too long ago to be carried out.
DELETE FROM retention_plan_events
USING retention_plans AS old
WHERE old.id = plan AND old.planned_at < now() - %(after)s::interval
