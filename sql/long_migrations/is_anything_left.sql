-- Whether a range is not done.
SELECT EXISTS (SELECT FROM migration_ranges WHERE migration = %(migration)s AND state <> 'done')
