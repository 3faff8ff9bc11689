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
