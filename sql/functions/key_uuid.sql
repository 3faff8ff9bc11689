-- The id of a row that Marquez would give a random one: SHA-256 of its key, with version 8 bits (RFC 9562).
-- Each part is written with its length in bytes before it, or as `-` for null; the first names the entity.
-- Agrees with lineage_core.identity.key_uuid.
CREATE OR REPLACE FUNCTION key_uuid(VARIADIC parts text[]) RETURNS uuid
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN (
    SELECT overlay(
        overlay(substr(digest, 1, 32) PLACING '8' FROM 13 FOR 1)
        PLACING translate(substr(digest, 17, 1), '0123456789abcdef', '89ab89ab89ab89ab') FROM 17 FOR 1
    )::uuid
    FROM (
        SELECT encode(sha256(convert_to(string_agg(written, '' ORDER BY place), 'UTF8')), 'hex')
        FROM unnest(parts) WITH ORDINALITY AS part (value, place),
            LATERAL coalesce(octet_length(value) || ':' || value, '-') AS written
    ) AS hashed (digest)
);
