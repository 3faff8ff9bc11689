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
