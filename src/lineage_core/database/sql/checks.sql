-- name: checks/clock
-- What time it is on the server.
SELECT clock_timestamp()

-- name: checks/leases
-- Leases whose holder's session is there, but does not renew them any more, or has moved nothing for an hour.
WITH present AS (
    SELECT leases.name, leases.holder, leases.expires_at, session.backend_start AS since
    FROM leases
    JOIN pg_locks AS shown
        ON shown.locktype = 'advisory'
        AND shown.objsubid = 1
        AND shown.database = (SELECT oid FROM pg_database WHERE datname = current_database())
        AND (shown.classid::bigint << 32 | shown.objid::bigint) = leases.presence
    LEFT JOIN pg_stat_activity AS session ON session.pid = shown.pid
)
SELECT format(
    '%s has the lease %s, but does not renew it; it has expired at %s', holder, name,
    to_char(expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
)
FROM present
WHERE expires_at < now() - interval '5 minutes'
UNION ALL
SELECT format(
    '%s has had the lease %s for more than an hour, and has not moved the watermark since %s', holder, name,
    to_char(mark.updated_at AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
)
FROM present
JOIN watermarks AS mark USING (name)
WHERE expires_at >= now() AND since < now() - interval '1 hour' AND mark.updated_at < now() - interval '1 hour'

-- name: checks/logins
-- Logins whose rights do not fit the group roles of the store. What needs a person: those that cannot do what their role may, or that
-- are above all rights, and a group role that can log in. Else: those that may do more than the work of one part. Who owns the
-- store, or hands a role on, is left out.
WITH RECURSIVE members AS (
    SELECT known.purpose, known.name AS role, grouped.oid AS role_oid, membership.member
    FROM group_roles AS known
    JOIN pg_roles AS grouped ON grouped.rolname = known.name
    JOIN pg_auth_members AS membership ON membership.roleid = grouped.oid
    WHERE NOT membership.admin_option
    UNION
    SELECT members.purpose, members.role, members.role_oid, membership.member
    FROM members
    JOIN pg_auth_members AS membership ON membership.roleid = members.member
    -- Jobs read by the role of readers: whoever has theirs is named for that alone.
    WHERE members.member <> ALL (ARRAY(SELECT oid FROM pg_roles JOIN group_roles ON rolname = name))
), logins AS (
    SELECT members.purpose, members.role, members.role_oid, login.*
    FROM members
    JOIN pg_roles AS login ON login.oid = members.member AND login.rolcanlogin
    WHERE login.oid <> (SELECT relowner FROM pg_class WHERE oid = 'public.lineage_events'::regclass)
), findings (needs_person, what) AS (
    SELECT true, format('The login %%s has the role %%s, and is a superuser', rolname, role) FROM logins WHERE rolsuper
    UNION ALL
    SELECT true, format('The login %%s has the role %%s, and may make roles', rolname, role)
    FROM logins
    WHERE rolcreaterole AND NOT rolsuper
    UNION ALL
    SELECT true, format('The login %%s has the role %%s, but does not inherit its rights', rolname, role)
    FROM logins
    WHERE NOT pg_has_role(oid, role_oid, 'USAGE')
    UNION ALL
    SELECT true, format('The login %%s has the role %%s, but may not connect to the database', rolname, role)
    FROM logins
    WHERE NOT has_database_privilege(oid, current_database(), 'CONNECT')
    UNION ALL
    SELECT true, format(
        'The login %%s has the role %%s, but its password is not valid since %%s', rolname, role,
        to_char(rolvaliduntil AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"')
    )
    FROM logins
    WHERE rolvaliduntil < now()
    UNION ALL
    SELECT true, format('The role %%s can log in itself', rolname)
    FROM group_roles
    JOIN pg_roles ON rolname = name
    WHERE rolcanlogin
    UNION ALL
    SELECT false, format('The login %%s has the roles %%s', rolname, string_agg(role, ' and ' ORDER BY role COLLATE "C"))
    FROM logins
    WHERE purpose <> 'reader'
    GROUP BY rolname
    HAVING count(*) > 1
    UNION ALL
    SELECT false, format(
        '%%s may write into tables of the store by rights of its own, into %%s for example',
        coalesce('The role ' || grantee.rolname, 'Every login'), min(relation.relname::text COLLATE "C")
    )
    FROM pg_class AS relation
    CROSS JOIN LATERAL aclexplode(relation.relacl) AS given
    LEFT JOIN pg_roles AS grantee ON grantee.oid = given.grantee
    WHERE relation.relnamespace = 'public'::regnamespace
      AND relation.relname = ANY (%(tables)s)
      AND given.privilege_type IN ('INSERT', 'UPDATE', 'DELETE', 'TRUNCATE')
      AND given.grantee <> relation.relowner
      AND (grantee.rolname IS NULL OR grantee.rolname <> ALL (ARRAY(SELECT name FROM group_roles)))
    GROUP BY grantee.rolname
    UNION ALL
    SELECT false, format(
        'The login %%s has the role %%s, and Postgres compiles its queries, which takes longer than they do without:'
        ' ALTER ROLE %%I SET jit = off', rolname, role, rolname
    )
    FROM logins
    WHERE purpose = 'marquez'
      AND NOT EXISTS (
          SELECT
          FROM pg_db_role_setting
          WHERE setrole IN (0, logins.oid)
            AND setdatabase IN (0, (SELECT oid FROM pg_database WHERE datname = current_database()))
            AND 'jit=off' = ANY (setconfig)
      )
    UNION ALL
    SELECT DISTINCT false, format(
        'A run works as %%s, who may do everything, and %%s has the role for it', session.usename, (
            SELECT min(rolname::text COLLATE "C") FROM logins WHERE purpose = 'jobs' AND NOT rolsuper
        )
    )
    FROM pg_stat_activity AS session
    JOIN pg_roles AS worker ON worker.oid = session.usesysid
    WHERE session.datname = current_database()
      AND (worker.rolsuper OR worker.oid = (SELECT relowner FROM pg_class WHERE oid = 'public.lineage_events'::regclass))
      AND session.application_name = %(lease_session)s
      AND EXISTS (SELECT FROM logins WHERE purpose = 'jobs' AND NOT rolsuper)
)
SELECT what FROM findings WHERE needs_person = %(needs_person)s ORDER BY what COLLATE "C"

-- name: checks/old_transactions
-- Transactions that have been open for more than an hour, prepared ones too.
SELECT format('A transaction of %s has been open since %s', who, to_char(since AT TIME ZONE 'UTC', 'YYYY-MM-DD HH24:MI "UTC"'))
FROM (
    SELECT coalesce(nullif(application_name, ''), usename, 'somebody') AS who, xact_start AS since
    FROM pg_stat_activity
    WHERE datname = current_database()
    UNION ALL
    SELECT format('%s (prepared as %L)', owner, gid), prepared
    FROM pg_prepared_xacts
    WHERE database = current_database()
) AS open
WHERE since < now() - interval '1 hour'
ORDER BY since

-- name: checks/sequences
-- Sequences that have used more than four fifths of their numbers.
SELECT format('The sequence %s is at %s of %s', sequencename, last_value, max_value)
FROM pg_sequences
WHERE schemaname = 'public' AND last_value > max_value / 5 * 4
ORDER BY sequencename COLLATE "C"

-- name: checks/server_settings
-- Settings that no store of lineage should have.
SELECT format('%s is %s', name, setting)
FROM pg_settings
WHERE name IN ('fsync', 'full_page_writes', 'autovacuum', 'track_counts') AND setting <> 'on'
ORDER BY name COLLATE "C"

-- name: checks/sight
-- Whether the login sees too little of other sessions to find their faults.
SELECT format('The login %s does not see since when transactions of others are open, nor standbys', session_user)
WHERE NOT pg_has_role(session_user, 'pg_read_all_stats', 'USAGE')

-- name: checks/vacuum_horizon
-- What keeps the server's log or deleted rows of the whole database for somebody who does not come, and numbers of transactions
-- that come to their end.
SELECT format(
    'The replication slot %s keeps %s of the server''s log, and is not read', slot_name,
    pg_size_pretty(pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn))
)
FROM pg_replication_slots
WHERE NOT active AND pg_wal_lsn_diff(pg_current_wal_lsn(), restart_lsn) > 10737418240
UNION ALL
SELECT format('The replication slot %s is %s', slot_name, wal_status)
FROM pg_replication_slots
WHERE wal_status IN ('unreserved', 'lost')
UNION ALL
SELECT format('The replication slot %s keeps rows that were deleted %s transactions ago', slot_name, behind)
FROM (SELECT slot_name, greatest(age(xmin), age(catalog_xmin)) AS behind FROM pg_replication_slots) AS slots
WHERE behind > 10000000
UNION ALL
SELECT format('The standby %s keeps rows that were deleted %s transactions ago', application_name, age(backend_xmin))
FROM pg_stat_replication
WHERE age(backend_xmin) > 10000000
UNION ALL
SELECT format('The oldest row of the database is %s transactions old, which vacuum should have frozen', age(datfrozenxid))
FROM pg_database
WHERE datname = current_database()
  AND age(datfrozenxid) > least(2 * current_setting('autovacuum_freeze_max_age')::bigint, 1500000000)
UNION ALL
SELECT format('The oldest lock of rows is %s multixacts old, which vacuum should have frozen', mxid_age(datminmxid))
FROM pg_database
WHERE datname = current_database()
  AND mxid_age(datminmxid) > least(2 * current_setting('autovacuum_multixact_freeze_max_age')::bigint, 1500000000)
