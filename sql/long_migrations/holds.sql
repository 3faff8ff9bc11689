-- What holds a migration now, the oldest first.
SELECT signal, detail, since, until
FROM migration_holds
WHERE migration = %(migration)s AND ended_at IS NULL
ORDER BY id
