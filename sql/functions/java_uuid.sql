-- Java's UUID.nameUUIDFromBytes of the UTF-8 text: MD5 with version 3 bits. Agrees with lineage_core.identity.java_uuid.
-- md5() hashes the text as the database encodes it, which `lineage db upgrade` makes sure is UTF-8.
CREATE OR REPLACE FUNCTION java_uuid(name text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    digest bytea := decode(md5(name), 'hex');
BEGIN
    digest := set_byte(digest, 6, get_byte(digest, 6) & 15 | 48);
    RETURN encode(set_byte(digest, 8, get_byte(digest, 8) & 63 | 128), 'hex');
END
$$;
