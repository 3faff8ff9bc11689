-- The id of a run: what its producer wrote, if Java's UUID.fromString takes it, else one derived from that text. Java takes
-- groups of any length and keeps the low bits of each. Agrees with lineage_core.identity.run_uuid.
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
