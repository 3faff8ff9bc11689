-- Whether an event names a dataset by one of these names, in whatever namespace.
CREATE OR REPLACE FUNCTION names_dataset(event jsonb, names text[]) RETURNS boolean
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
DECLARE
    name text;
    named jsonb;
BEGIN
    FOREACH name IN ARRAY names LOOP
        named := jsonb_build_object('name', name);
        IF event @> jsonb_build_object('inputs', jsonb_build_array(named))
            OR event @> jsonb_build_object('outputs', jsonb_build_array(named))
            OR event @> jsonb_build_object('dataset', named)
        THEN
            RETURN true;
        END IF;
    END LOOP;
    RETURN false;
END
$$;
