-- Whether a legal hold has come into force since it was looked for what goes.
SELECT EXISTS (SELECT FROM retention_holds_in_force WHERE id NOT IN (SELECT id FROM holds_known))
