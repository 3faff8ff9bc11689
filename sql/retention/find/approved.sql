-- approved: what goes by the plan that is carried out, and nothing else.
CREATE TEMP TABLE approved AS
SELECT kind, unnest(keys) AS uuid FROM retention_plan_keys WHERE plan = %(plan)s
