-- Whether a raw event is under a legal hold by a name that it says: of its job or its parent, or of a dataset. `names` are those of
-- what the tables know (see held_names); what they do not know is held by what the hold says. `namespace` is as the tables hold it.
-- Runs that are held by what the tables say of them are looked for by held_runs.
CREATE OR REPLACE FUNCTION is_held(
    event_time timestamptz, namespace text, job_name text, run_uuid uuid, event jsonb, names jsonb
)
RETURNS boolean
LANGUAGE plpgsql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$
#variable_conflict use_variable
BEGIN
    RETURN EXISTS (
        SELECT
        FROM names_of_raw_event(event, namespace, job_name) AS said
        WHERE (names -> said.entity ->> (said.namespace || chr(10) || said.name))::tstzmultirange @> event_time
    ) OR EXISTS (
        SELECT
        FROM retention_holds_in_force AS held
        WHERE held.manifest IS NULL
          AND (held.events_since IS NULL OR event_time >= held.events_since)
          AND (held.events_until IS NULL OR event_time < held.events_until)
          AND CASE
              WHEN held.run IS NOT NULL THEN
                  namespace_fits(held.namespace_pattern, namespace)
                  AND (run_uuid = held.run OR lower((event #>> '{run,facets,parent,run,runId}') COLLATE "C") = held.run::text)
              ELSE EXISTS (
                  SELECT
                  FROM names_of_raw_event(event, namespace, job_name) AS said
                  WHERE namespace_fits(held.namespace_pattern, said.namespace)
                    AND CASE
                        WHEN held.job IS NOT NULL THEN said.entity = 'jobs' AND said.name = held.job
                        WHEN held.dataset IS NOT NULL THEN said.entity = 'datasets' AND said.name = held.dataset
                        ELSE true
                    END
              )
          END
    ) OR is_restored(event, event_time);
END
$$;
