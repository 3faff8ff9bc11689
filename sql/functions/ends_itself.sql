-- Whether a type's brackets are balanced and enclose each `:`, of whatever kinds they are. Agrees with
-- lineage_core.schema_versions. Most types have no bracket in another, which one expression tells.
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
