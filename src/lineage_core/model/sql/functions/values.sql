-- Instants, ids and texts, as Python and Java have them.

-- name: instant
-- The point in time that so many microseconds since 1970 are, exactly. Agrees with lineage_core.openlineage.instants.instant. A
-- product with an interval would go through float8, which is exact only up to the year 2255: here hours are whole, and float8
-- has the microseconds of less than one. Hours, not days, whose length depends on the time zone.
CREATE OR REPLACE FUNCTION instant(microseconds bigint) RETURNS timestamptz
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN timestamptz '1970-01-01 00:00:00+00' + make_interval(
    hours => (microseconds / 3600000000)::integer,
    secs => (microseconds % 3600000000)::double precision / 1000000
);

-- name: microseconds
-- Microseconds since 1970 of a point in time, exactly. Agrees with lineage_core.openlineage.instants.microseconds. Stable as
-- `extract` is, so that the planner takes it into the statement that calls it.
CREATE OR REPLACE FUNCTION microseconds(instant timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN (extract(epoch FROM instant) * 1000000)::bigint;

-- name: event_instant
-- The point in time that an ISO 8601 date and time says, in UTC where it names no zone, rounded to microseconds; null for a
-- text that says none. Agrees with lineage_core.openlineage.instants.parse_instant, which says why a text is refused.
--
-- The pattern captures nothing, and the parts are taken by their places: with groups it takes fifty times as long.
CREATE OR REPLACE FUNCTION event_instant(written text) RETURNS timestamptz
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    bare text := btrim(
        written,
        E' \t\n\x0b\f\r\x1c\x1d\x1e\x1f\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009'
        '\u200a\u2028\u2029\u202f\u205f\u3000'
    );
    behind_minutes text := substr(bare, 17);
    sign integer := greatest(strpos(behind_minutes, '+'), strpos(behind_minutes, '-'));
    seconds text := behind_minutes;
    zone integer := 0;
    month timestamp;
    moment timestamp;
BEGIN
    IF left(bare, 4) = '0000' OR bare COLLATE "C" !~ (
        '^[0-9]{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12][0-9]|3[01])[Tt ](?:[01][0-9]|2[0-3]):[0-5][0-9]'
        '(?::[0-5][0-9](?:[.,][0-9]+)?)?(?:[Zz]|[+-](?:[01][0-9]|2[0-3])(?::?[0-5][0-9])?)?$'
    ) THEN
        RETURN NULL;
    END IF;
    IF sign > 0 THEN
        seconds := left(behind_minutes, sign - 1);
        zone := substr(behind_minutes, sign + 1, 2)::integer * 60 + ('0' || right(substr(behind_minutes, sign + 3), 2))::integer;
        IF substr(behind_minutes, sign, 1) = '-' THEN
            zone := -zone;
        END IF;
    END IF;
    month := make_date(left(bare, 4)::integer, substr(bare, 6, 2)::integer, 1);
    moment := month + make_interval(days => substr(bare, 9, 2)::integer - 1);
    IF moment >= month + interval '1 month' THEN
        RETURN NULL;
    END IF;
    moment := moment + make_interval(
        hours => substr(bare, 12, 2)::integer,
        mins => substr(bare, 15, 2)::integer - zone,
        secs => ('0' || rtrim(substr(seconds, 2, 2), 'Zz'))::integer
    );
    seconds := rtrim(substr(seconds, 5), 'Zz');
    IF seconds <> '' THEN
        moment := moment
            + (rpad(left(seconds, 6), 6, '0')::integer + (substr(seconds, 7, 1) COLLATE "C" ~ '[5-9]')::integer)
            * interval '1 microsecond';
    END IF;
    IF moment < timestamp '0001-01-01' OR moment >= timestamp '10000-01-01' THEN
        RETURN NULL;
    END IF;
    RETURN moment AT TIME ZONE 'UTC';
END
$$;

-- name: stream_instant
-- A point in time as streams have it: microseconds since 1970. What is infinite, or too far away, is as far as a bigint goes.
CREATE OR REPLACE FUNCTION stream_instant(instant timestamptz) RETURNS bigint
LANGUAGE sql STABLE STRICT PARALLEL SAFE
RETURN least(greatest(extract(epoch FROM instant) * 1000000, -9223372036854775807), 9223372036854775807)::bigint;

-- name: java_uuid
-- Java's UUID.nameUUIDFromBytes of the UTF-8 text: MD5 with version 3 bits. Agrees with
-- lineage_core.openlineage.identity.java_uuid. md5() hashes the text as the database encodes it, which `lineage db upgrade`
-- makes sure is UTF-8.
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

-- name: key_uuid
-- The id of a row that Marquez would give a random one: SHA-256 of its key, with version 8 bits (RFC 9562).
-- Each part is written with its length in bytes before it, or as `-` for null; the first names the entity.
-- Agrees with lineage_core.openlineage.identity.key_uuid. In PL/pgSQL, where it takes a sixth of the time that it takes in SQL.
CREATE OR REPLACE FUNCTION key_uuid(VARIADIC parts text[]) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    part text;
    written text := '';
    digest bytea;
BEGIN
    FOREACH part IN ARRAY parts LOOP
        written := written || coalesce(octet_length(part) || ':' || part, '-');
    END LOOP;
    digest := substr(sha256(convert_to(written, 'UTF8')), 1, 16);
    digest := set_byte(digest, 6, get_byte(digest, 6) & 15 | 128);
    RETURN encode(set_byte(digest, 8, get_byte(digest, 8) & 63 | 128), 'hex');
END
$$;

-- name: run_uuid
-- The id of a run: what its producer wrote, if Java's UUID.fromString takes it, else one derived from that text. Java takes
-- groups of any length and keeps the low bits of each. Agrees with lineage_core.openlineage.identity.run_uuid.
CREATE OR REPLACE FUNCTION run_uuid(run_id text) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE STRICT PARALLEL SAFE
AS $$
DECLARE
    groups text[];
BEGIN
    IF run_id COLLATE "C" ~ '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$' THEN
        RETURN run_id::uuid;
    END IF;
    groups := regexp_match(
        run_id COLLATE "C",
        '^[+]?0*([0-9a-fA-F]+)-[+]?0*([0-9a-fA-F]+)-[+]?0*([0-9a-fA-F]+)-[+]?0*([0-9a-fA-F]+)-[+]?0*([0-9a-fA-F]+)$'
    );
    -- A group must fit a positive long.
    IF groups IS NULL OR length(run_id) > 36
        OR array_to_string(groups, '-') COLLATE "C" ~ '[0-9a-fA-F]{17}|[89a-fA-F][0-9a-fA-F]{15}'
    THEN
        RETURN public.java_uuid(run_id);
    END IF;
    RETURN (
        right('0000000' || groups[1], 8)
        || right('000' || groups[2], 4)
        || right('000' || groups[3], 4)
        || right('000' || groups[4], 4)
        || right('00000000000' || groups[5], 12)
    )::uuid;
END
$$;

-- name: schema_version_uuid
-- The id of the schema version with these fields: place by place a name and its type. Agrees with
-- lineage_core.model.meaning.schema_versions.schema_version_uuid, as which it takes the formatted namespace, and counts each
-- name with its type once, in any order. Two arrays, so that array_agg() can give them, for many versions in one statement.
CREATE OR REPLACE FUNCTION schema_version_uuid(namespace text, dataset text, names text[], types text[]) RETURNS uuid
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    IF EXISTS (
        SELECT
        FROM unnest(names, types) AS field (name, type)
        WHERE field.type IS NULL OR strpos(field.name, ':') > 0 OR NOT ends_itself(field.type)
    ) THEN
        RETURN key_uuid(VARIADIC ARRAY['dataset_schema_versions', namespace, dataset] || ARRAY(
            SELECT part.text
            FROM (SELECT DISTINCT name, type FROM unnest(names, types) AS field (name, type)) AS content
            CROSS JOIN LATERAL (VALUES (1, content.name), (2, content.type)) AS part (place, text)
            ORDER BY content.name COLLATE "C", content.type IS NOT NULL, content.type COLLATE "C", part.place
        ));
    END IF;
    RETURN java_uuid(concat(namespace, ':', dataset, ':', (
        SELECT string_agg(
            content.name || ':' || content.type,
            ':'
            ORDER BY utf16_order(content.name) COLLATE "C", utf16_order(content.type) COLLATE "C"
        )
        FROM (SELECT DISTINCT name, type FROM unnest(names, types) AS field (name, type)) AS content
    )));
END
$$;

-- name: ends_itself
-- Whether a type's brackets are balanced and enclose each `:`, of whatever kinds they are. Agrees with
-- lineage_core.model.meaning.schema_versions. Most types have no bracket in another, which one expression tells.
CREATE OR REPLACE FUNCTION ends_itself(type text) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
    IF type COLLATE "C" ~ '^[^][(){}<>:]*([[({<][^][(){}<>]*[])}>][^][(){}<>:]*)*$' THEN
        RETURN true;
    END IF;
    RETURN (
        SELECT coalesce(bool_and(depth >= 0 AND (mark <> ':' OR depth > 0)) AND sum(step) = 0, true)
        FROM (
            SELECT mark, step, sum(step) OVER (ORDER BY place) AS depth
            FROM string_to_table(regexp_replace(type COLLATE "C", '[^][(){}<>:]+', '', 'g'), NULL)
                WITH ORDINALITY AS marked (mark, place)
            CROSS JOIN LATERAL (
                SELECT CASE WHEN mark IN ('<', '(', '[', '{') THEN 1 WHEN mark = ':' THEN 0 ELSE -1 END
            ) AS counted (step)
        ) AS nested
    );
END
$$;

-- name: utf16_order
-- Sort key of Java's strings: `ORDER BY utf16_order(x) COLLATE "C"` sorts by UTF-16 code units, as Java does. UTF-8 sorts
-- by code point, and differs where a character beyond the basic plane meets one from U+E000 on, which Java sorts last.
-- So each of those gets U+10FFFF, the last character, before it, and U+10FFFF itself a mark that keeps it below them.
CREATE OR REPLACE FUNCTION utf16_order(value text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE
    WHEN octet_length(value) = length(value) THEN value
    ELSE regexp_replace(
        replace(value, U&'\+10FFFF', U&'\+10FFFF\0001') COLLATE "C",
        '([\uE000-\uFFFF])', U&'\+10FFFF\\1', 'g'
    )
END;

-- name: ignoring_case
-- A text to compare with a word of ASCII letters in lower case, as Java's equalsIgnoreCase does: it knows four other characters
-- as the letters i, s and k. Agrees with lineage_core.openlineage.identity.ignoring_case, whatever the database's locale.
CREATE OR REPLACE FUNCTION ignoring_case(value text) RETURNS text
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN lower(translate(value, 'İıſK', 'iisk') COLLATE "C");

-- name: formatted_namespace
-- A namespace as the tables hold it: every character that Marquez takes for unsafe becomes `_`. One that is formatted stays as it is.
-- Agrees with lineage_core.namespace_format.formatted_namespace.
CREATE OR REPLACE FUNCTION formatted_namespace(namespace text) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN regexp_replace(namespace COLLATE "C", '[^-a-zA-Z0-9:/_.@+]', '_', 'g');

-- name: keep_uuid_in_use
-- Somebody else has made a row, with a uuid of his own: notes that this one is in use for its key, so that merges take the row as it
-- is. The arguments are the columns of the key. A key that has a row already keeps that one.
CREATE OR REPLACE FUNCTION keep_uuid_in_use() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, public, pg_temp
AS $$
DECLARE
    key uuid;
BEGIN
    IF tg_argv[0] = 'version' THEN
        key := new.version;
    ELSIF tg_table_name = 'dataset_fields' THEN
        SELECT public.key_uuid('dataset_fields', namespace_name, name, new.name, new.type) INTO key
        FROM public.datasets
        WHERE uuid = new.dataset_uuid;
    ELSE
        SELECT public.key_uuid(VARIADIC ARRAY[tg_table_name::text] || array_agg(to_jsonb(new) ->> part ORDER BY place)) INTO key
        FROM unnest(tg_argv) WITH ORDINALITY AS named (part, place);
    END IF;
    IF key IS DISTINCT FROM new.uuid THEN
        EXECUTE format(
            'INSERT INTO public.identity_map AS known (entity, key_uuid, uuid)
            SELECT %1$L, $1, $2
            WHERE NOT EXISTS (SELECT FROM public.%1$I WHERE uuid = $1)
            ON CONFLICT (entity, key_uuid) DO UPDATE SET uuid = excluded.uuid
            WHERE NOT EXISTS (SELECT FROM public.%1$I AS stored WHERE stored.uuid = known.uuid)',
            tg_table_name
        ) USING key, new.uuid;
    END IF;
    RETURN NULL;
END
$$;
