-- The version of a dataset that was current before an event, as far as the tables know: what an input of that event reads.
-- Null if nobody had written or read the dataset by then. The same choice as in sql/derive/inputs_read.sql.
CREATE OR REPLACE FUNCTION version_before(dataset uuid, event bytea) RETURNS uuid
LANGUAGE plpgsql STABLE PARALLEL SAFE
SET search_path = public, pg_temp
AS $$
BEGIN
    RETURN (
        SELECT pointer.version_uuid
        FROM dataset_version_timeline AS pointer
        WHERE pointer.dataset_uuid = dataset
          AND (pointer.event_order < event OR (pointer.event_order = event AND NOT pointer.is_written))
        ORDER BY pointer.event_order DESC, pointer.is_written DESC
        LIMIT 1
    );
END
$$;
