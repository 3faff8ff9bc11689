-- What an event speaks of, by the last part of its schemaURL: as lineage_core.events.Kind has it.
CREATE OR REPLACE FUNCTION event_kind(event jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN CASE substring((event ->> 'schemaURL') COLLATE "C" FROM '[^/]*$')
    WHEN 'DatasetEvent' THEN 'DATASET_EVENT'
    WHEN 'JobEvent' THEN 'JOB_EVENT'
    ELSE 'RUN_EVENT'
END;
