-- A text to compare with a word of ASCII letters in lower case, as Java's equalsIgnoreCase does: it knows four other
-- characters as the letters i, s and k. Agrees with lineage_core.identity.ignoring_case, whatever the database's locale.
CREATE OR REPLACE FUNCTION ignoring_case(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(translate(value, 'İıſK', 'iisk') COLLATE "C");
