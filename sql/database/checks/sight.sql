-- Whether the login sees too little of other sessions to find their faults.
SELECT format('The login %s does not see since when transactions of others are open, nor standbys', session_user)
WHERE NOT pg_has_role(session_user, 'pg_read_all_stats', 'USAGE')
