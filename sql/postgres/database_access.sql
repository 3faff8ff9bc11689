-- The database, whether every login may connect to it, and its owner.
SELECT
    datname AS name,
    has_database_privilege('public', oid, 'CONNECT') AS is_open,
    pg_has_role(datdba, 'USAGE') AS is_owned,
    pg_get_userbyid(datdba) AS owner
FROM pg_database
WHERE datname = current_database()
