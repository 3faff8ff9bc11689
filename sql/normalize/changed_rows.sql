-- Rows that this session has inserted, updated or deleted, by table, and that Postgres has not added to its statistics yet. It does so
-- between transactions only, so what two looks in one transaction differ by was changed between them.
SELECT relname::text AS table, n_tup_ins + n_tup_upd + n_tup_del AS rows
FROM pg_stat_xact_user_tables
WHERE schemaname = 'public' AND n_tup_ins + n_tup_upd + n_tup_del > 0
