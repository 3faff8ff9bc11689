-- Java's UUID.nameUUIDFromBytes of the UTF-8 text: MD5 with version 3 bits. Agrees with lineage_core.identity.java_uuid.
-- An expression, so that the planner can put it in place of the call; the database must be in UTF-8.
CREATE OR REPLACE FUNCTION java_uuid(name text) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN overlay(
    overlay(md5(name) PLACING '3' FROM 13 FOR 1)
    PLACING translate(substr(md5(name), 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') FROM 17 FOR 1
)::uuid;
