-- What the server alone says of an event, whoever stores it and whatever he says: the number of its arrival, by which runs
-- know what is done, and the columns that follow from the document, as Marquez fills them.
--
-- A number from elsewhere would hide the event, or stop every run, so none gets in: not by COPY out of a dump, by INSERT out
-- of another store, or by logical replication. Only a function that moves rows to another partition keeps theirs, by a setting
-- of its own; it helps nobody who may not write a number in the first place, as then the row has none.
CREATE OR REPLACE FUNCTION describe_arrival() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
    IF current_setting('lineage.moves_events', true) = 'on' THEN
        RETURN NEW;
    END IF;
    NEW.arrived_xid := pg_current_xact_id()::text::bigint;
    NEW.arrival_seq := nextval('public.lineage_events_arrival_seq');
    NEW._event_type := public.event_kind(NEW.event);
    NEW.producer := NEW.event ->> 'producer';
    NEW.event_type := NULL;
    NEW.run_uuid := NULL;
    NEW.job_namespace := NULL;
    NEW.job_name := NULL;
    IF NEW._event_type = 'RUN_EVENT' THEN
        NEW.event_type := coalesce(NEW.event ->> 'eventType', '');
        NEW.run_uuid := public.run_uuid(NEW.event #>> '{run,runId}');
    END IF;
    IF NEW._event_type <> 'DATASET_EVENT' THEN
        NEW.job_namespace := NEW.event #>> '{job,namespace}';
        NEW.job_name := NEW.event #>> '{job,name}';
    END IF;
    RETURN NEW;
END
$$;
