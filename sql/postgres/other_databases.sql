-- The other databases that some roles may connect to as themselves, not as everybody may.
SELECT DISTINCT datname
FROM pg_database, aclexplode(datacl)
WHERE datname <> current_database()
  AND privilege_type = 'CONNECT'
  AND grantee = ANY (SELECT oid FROM pg_roles WHERE rolname = ANY (%(roles)s))
ORDER BY datname
