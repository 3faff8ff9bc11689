-- The names, without their namespaces, under which events may speak of a dataset; null if it is not known.
CREATE OR REPLACE FUNCTION names_of_dataset(dataset uuid) RETURNS text[]
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT array_agg(DISTINCT named.name COLLATE "C")
        FROM (
            SELECT datasets.name::text FROM datasets WHERE datasets.uuid = dataset
            UNION ALL
            SELECT dataset_symlinks.name::text FROM dataset_symlinks WHERE dataset_symlinks.dataset_uuid = dataset
        ) AS named
    );
END
$$;
