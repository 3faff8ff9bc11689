-- The namespace by which policies of retention judge a raw event: of its job, or of the dataset of an event about one alone, as
-- the tables hold it. Empty where it has none, as what is in quarantine may.
CREATE OR REPLACE FUNCTION namespace_of_raw_event(kind text, job_namespace text, event jsonb) RETURNS text
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN formatted_namespace(
    coalesce(CASE WHEN kind = 'DATASET_EVENT' THEN event #>> '{dataset,namespace}' ELSE job_namespace END, '')
);
