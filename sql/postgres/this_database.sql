-- Which database this is: of which cluster, and which one in it. A name may change, and be given again.
SELECT here.system_identifier::text AS system_identifier, database.oid::bigint AS oid, database.datname::text AS name
FROM pg_control_system() AS here
JOIN pg_database AS database ON database.datname = current_database()
