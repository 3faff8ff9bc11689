-- What whoever only hands in events may say of one is the document, and its time as the document has it: by that the row has
-- found its partition. A row of any other time goes to quarantine instead; the rows beside it go on.
CREATE OR REPLACE FUNCTION check_handed_in_event() RETURNS trigger
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
SET datestyle = 'ISO, YMD'
AS $$
BEGIN
    NEW.created_at := now();
    IF NEW.event_time = public.event_instant(NEW.event ->> 'eventTime') THEN
        RETURN NEW;
    END IF;
    INSERT INTO public.quarantine (reason, path, raw, source)
    VALUES (
        format('event_time is %s, which is not what the document says', coalesce(NEW.event_time::text, 'null')),
        '$.eventTime', convert_to(NEW.event::text, 'UTF8'), 'lineage_events'
    )
    ON CONFLICT DO NOTHING;
    RETURN NULL;
END
$$;
