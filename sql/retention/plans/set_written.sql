-- Keeps how a plan is written.
UPDATE retention_plans SET written = %(written)s WHERE id = %(plan)s
