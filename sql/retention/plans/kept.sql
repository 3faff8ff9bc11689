-- A plan as it was kept, and whether it may still be carried out.
SELECT as_of, cutoffs, written, planned_at >= now() - %(after)s::interval AS is_known, as_of > now() AS is_ahead
FROM retention_plans
WHERE id = %(plan)s
