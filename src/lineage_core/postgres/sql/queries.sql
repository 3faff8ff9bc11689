-- name: missing_roles
-- Those of some roles that the cluster does not have.
SELECT role FROM unnest(%(roles)s::text[]) AS role WHERE to_regrole(role) IS NULL

-- name: views
-- Those of some names in public that are views.
SELECT relname
FROM pg_class
WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm') AND relname = ANY (%(names)s)

-- name: relation_exists
-- Whether there is a table, a view or an index of a name.
SELECT to_regclass(%(name)s) IS NOT NULL

-- name: table_size
-- Bytes of a table on disk, its indexes included.
SELECT pg_total_relation_size(%(table)s::regclass)

-- name: is_owner_of_relation
-- Whether the login owns a table, a view or an index, or is a member of the role that does; no row if it is not there.
SELECT pg_has_role(relowner, 'USAGE') FROM pg_class WHERE oid = to_regclass(%(name)s)

-- name: group_role
-- The role of this store for a purpose.
SELECT name FROM public.group_roles WHERE purpose = %(purpose)s

-- name: database_access
-- The database, whether every login may connect to it, and its owner.
SELECT
    datname AS name,
    has_database_privilege('public', oid, 'CONNECT') AS is_open,
    pg_has_role(datdba, 'USAGE') AS is_owned,
    pg_get_userbyid(datdba) AS owner
FROM pg_database
WHERE datname = current_database()

-- name: other_databases
-- The other databases that some roles may connect to as themselves, not as everybody may.
SELECT DISTINCT datname
FROM pg_database, aclexplode(datacl)
WHERE datname <> current_database()
  AND privilege_type = 'CONNECT'
  AND grantee = ANY (SELECT oid FROM pg_roles WHERE rolname = ANY (%(roles)s))
ORDER BY datname

-- name: has_temporary
-- Whether the session has had temporary tables or views, which the next question must not see.
SELECT pg_my_temp_schema() <> 0

-- name: fence
-- The epoch of a lease, which none can take until the transaction ends. The lock lets the renewals of its holder through.
SELECT epoch, pg_backend_pid() AS backend FROM leases WHERE name = %(name)s FOR KEY SHARE

-- name: lock_leases
-- Waits until no holder of a lease writes, and lets none write until the transaction ends.
SELECT FROM leases ORDER BY name COLLATE "C" FOR UPDATE

-- name: make_lease
-- A lease that is free, unless it is there.
INSERT INTO leases (name, epoch) VALUES (%(name)s, 0) ON CONFLICT (name) DO NOTHING

-- name: lock_lease
-- Who has a lease, and whether it has expired; no row while its holder merges: a run that waited for that lock could not
-- give up in time.
SELECT epoch, presence, coalesce(expires_at < clock_timestamp(), true) AS has_expired
FROM leases
WHERE name = %(name)s
FOR UPDATE SKIP LOCKED

-- name: is_gone
-- Whether the session of a holder has ended, so that its lock is free. The lock is given back with the transaction.
SELECT pg_try_advisory_xact_lock(%(presence)s)

-- name: take_lease
-- Gives a lease to its next holder.
UPDATE leases
SET epoch = %(epoch)s,
    holder = %(holder)s,
    presence = %(presence)s,
    expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE name = %(name)s

-- name: show_life
-- Takes the lock by which others see that the session of a holder is there. It never waits: any login of the database may
-- hold any advisory lock. Shared, as a session that takes the place of a broken one needs it while the server may still keep the
-- old one.
SELECT pg_try_advisory_lock_shared(presence) FROM leases WHERE name = %(name)s AND epoch = %(epoch)s

-- name: lease_holder
-- Who has a lease.
SELECT holder FROM leases WHERE name = %(name)s

-- name: extend_lease
-- Lets a lease expire so many seconds from now, if it has not gone to another.
UPDATE leases
SET expires_at = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE name = %(name)s AND epoch = %(epoch)s

-- name: kept_digest
-- The digest of the release that upgraded the store last.
SELECT obj_description(to_regclass('public.lineage_schema_version'), 'pg_class')

-- name: is_earlier
-- Whether there is a store that knows of no repeatable script, and of another state than the last that knew none.
SELECT to_regclass('public.lineage_schema_version') IS NOT NULL
    AND to_regclass('public.schema_scripts') IS NULL
    AND obj_description(to_regclass('public.lineage_schema_version'), 'pg_class') IS DISTINCT FROM %(first_landed)s

-- name: keep_digest
-- Keeps the digest of the release that has upgraded the store.
COMMENT ON TABLE public.lineage_schema_version IS {digest}

-- name: pieces
-- The rows of a statement, each a content and a mark, in pieces. `OFFSET 0` keeps Postgres from writing the content anew for
-- each of them.
COPY (
    SELECT substr(content, first + 1, {piece}), first + {piece} >= octet_length(content), mark
    FROM (SELECT content, mark FROM ({statement}) AS found (content, mark) OFFSET 0) AS whole
    CROSS JOIN LATERAL generate_series(0, octet_length(content) - 1, {piece}) AS first
) TO STDOUT (FORMAT BINARY)

-- name: catalog
-- What the catalog says of one schema, a row for each aspect of each object: (kind, name, table, definition). With that
-- schema first in the search path, two schemas that are made alike give the same rows.
WITH relation AS (
    SELECT class.oid, class.relname, class.relkind, class.relpersistence
    FROM pg_class AS class
    WHERE class.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s) AND NOT class.relispartition
)
SELECT 'table' AS kind, relname::text AS name, relname::text AS relation,
    CASE relkind WHEN 'v' THEN 'view' WHEN 'm' THEN 'materialized view' ELSE 'table' END
    || CASE relpersistence WHEN 'u' THEN ', unlogged' ELSE '' END
    || coalesce(', partitioned by ' || pg_get_partkeydef(oid), '') AS definition
FROM relation WHERE relkind IN ('r', 'p', 'v', 'm')
UNION ALL
SELECT aspect.kind, relname || '.' || attname, relname, aspect.definition
FROM relation
JOIN pg_attribute AS attribute ON attribute.attrelid = relation.oid AND attnum > 0 AND NOT attisdropped
LEFT JOIN pg_attrdef AS expression ON expression.adrelid = relation.oid AND expression.adnum = attnum
CROSS JOIN LATERAL (
    VALUES
        ('column', format_type(atttypid, atttypmod)),
        ('nullability of', CASE WHEN attnotnull THEN 'NOT NULL' ELSE 'NULL' END),
        ('identity of', nullif(attidentity, '')::text),
        (CASE attgenerated WHEN '' THEN 'default of' ELSE 'expression of' END, pg_get_expr(adbin, adrelid, true))
) AS aspect (kind, definition)
WHERE relkind IN ('r', 'p', 'c') AND aspect.definition IS NOT NULL
UNION ALL
SELECT 'constraint', relname || '.' || conname, relname, pg_get_constraintdef(pg_constraint.oid, true)
FROM relation JOIN pg_constraint ON conrelid = relation.oid AND contype IN ('p', 'u', 'f', 'c', 'x')
UNION ALL
SELECT 'index', index_class.relname, relation.relname, pg_get_indexdef(indexrelid, 0, true)
FROM relation
JOIN pg_index ON indrelid = relation.oid
JOIN pg_class AS index_class ON index_class.oid = indexrelid
WHERE NOT EXISTS (SELECT FROM pg_constraint WHERE conindid = indexrelid AND contype IN ('p', 'u', 'x'))
UNION ALL
SELECT 'trigger', relname || '.' || tgname, relname,
    pg_get_triggerdef(pg_trigger.oid, true)
    || CASE tgenabled WHEN 'O' THEN '' WHEN 'A' THEN ', always' WHEN 'R' THEN ', on replicas' ELSE ', disabled' END
FROM relation JOIN pg_trigger ON tgrelid = relation.oid AND NOT tgisinternal
UNION ALL
SELECT 'query of', relname, relname, pg_get_viewdef(oid, true)
FROM relation WHERE relkind IN ('v', 'm')
UNION ALL
SELECT 'sequence', relname, NULL, format_type(seqtypid, NULL) || coalesce(', owned by ' || owner.name, '')
FROM relation
JOIN pg_sequence ON seqrelid = oid
LEFT JOIN LATERAL (
    SELECT refobjid::regclass || '.' || attname
    FROM pg_depend JOIN pg_attribute ON attrelid = refobjid AND attnum = refobjsubid
    WHERE classid = 'pg_class'::regclass AND objid = oid AND refclassid = 'pg_class'::regclass AND deptype = 'a'
) AS owner (name) ON true
UNION ALL
SELECT 'function', proname || '(' || pg_get_function_identity_arguments(oid) || ')', NULL, concat_ws(
    E'\n', pg_get_function_result(oid), pg_get_function_arguments(oid), provolatile, proparallel, prosecdef,
    proisstrict, proconfig, coalesce(pg_get_function_sqlbody(oid), prosrc)
)
FROM pg_proc WHERE pronamespace = (SELECT oid FROM pg_namespace WHERE nspname = %(schema)s) AND prokind = 'f'
UNION ALL
-- The partitions that a table is never without: those which are divided again, and those for all that no other takes.
SELECT 'partition', child.relname, root.relname, concat_ws(
    ', partitioned by ', pg_get_expr(child.relpartbound, child.oid), pg_get_partkeydef(child.oid)
)
FROM pg_class AS child
JOIN relation AS root ON root.oid = pg_partition_root(child.oid)
WHERE child.relispartition
  AND child.relkind IN ('r', 'p')
  AND (child.relkind = 'p' OR pg_get_expr(child.relpartbound, child.oid) = 'DEFAULT')

-- name: settings
-- Sets many settings at once, on one backend or on any. The first statement takes no time, and lets the second take some.
SET LOCAL statement_timeout = 0;
SELECT
    pg_catalog.set_config(name, value, %(is_local)s) AS value,
    pg_catalog.current_setting('session_replication_role') AS replication_role
FROM ROWS FROM (pg_catalog.unnest(%(names)s::text[]), pg_catalog.unnest(%(values)s::text[])) AS wanted (name, value)
WHERE pg_catalog.current_setting(name, true) IS NOT NULL
  AND (%(backend)s::integer IS NULL OR pg_catalog.pg_backend_pid() = %(backend)s::integer)

-- name: backend
-- The process of the server that the connection meets in this transaction.
SELECT pg_catalog.pg_backend_pid()

-- name: this_database
-- Which database this is: of which cluster, and which one in it. A name may change, and be given again.
SELECT here.system_identifier::text AS system_identifier, database.oid::bigint AS oid, database.datname::text AS name
FROM pg_control_system() AS here
JOIN pg_database AS database ON database.datname = current_database()

-- name: may_all
-- Whether the login may do what the owner of the tables may.
SELECT pg_has_role(session_user, relowner, 'MEMBER') FROM pg_class WHERE oid = 'operator_acts'::regclass
