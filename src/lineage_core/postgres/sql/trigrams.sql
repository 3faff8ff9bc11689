-- name: trigrams/schema
-- Where the operators of pg_trgm are; no row if the database has no such extension, or the login may not use that schema.
SELECT nspname::text
FROM pg_extension
JOIN pg_namespace ON pg_namespace.oid = extnamespace
WHERE extname = 'pg_trgm' AND has_schema_privilege(pg_namespace.oid, 'USAGE')

-- name: trigrams/whole
-- Those of some indexes that are there and built to their end, by an operator class of pg_trgm.
SELECT index.relname::text
FROM pg_class AS index
JOIN pg_index ON indexrelid = index.oid AND indisvalid
JOIN pg_depend AS made_by
    ON made_by.classid = 'pg_opclass'::regclass
   AND made_by.objid = indclass[0]
   AND made_by.refclassid = 'pg_extension'::regclass
   AND made_by.deptype = 'e'
JOIN pg_extension ON pg_extension.oid = made_by.refobjid AND extname = 'pg_trgm'
WHERE index.relnamespace = 'public'::regnamespace AND index.relname = ANY (%(names)s)

-- name: trigrams/make
-- An index of the trigrams of names, as a search folds them.
CREATE INDEX {index} ON {table} USING gin (lower(name COLLATE "C") {trigrams}.gin_trgm_ops)

-- name: trigrams/make_beside
-- Likewise, while others write.
CREATE INDEX CONCURRENTLY {index} ON {table} USING gin (lower(name COLLATE "C") {trigrams}.gin_trgm_ops)

-- name: trigrams/drop
-- One that was not built to its end.
DROP INDEX CONCURRENTLY IF EXISTS {index}

-- name: trigrams/comment
-- What it is for.
COMMENT ON INDEX {index} IS 'For searches by a part of a name, and for similar names. Only where the database has pg_trgm.'
