-- The spans of time of which the default partition of lineage_events holds so many events that they are worth a partition:
-- months, in UTC, and what lies before 1970 or behind 2099, which wrong clocks say. Of this month and those ahead a single
-- event is enough, as it keeps the month from getting its partition.
CREATE OR REPLACE FUNCTION crowded_event_times(months_ahead integer, fewest integer DEFAULT 1000)
RETURNS TABLE (begins timestamptz, ends timestamptz, is_month boolean)
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
    this_month CONSTANT timestamptz := date_trunc('month', now());
    last_month CONSTANT timestamptz := this_month + make_interval(months => months_ahead);
    first_time timestamptz := min(event_time) FROM public.lineage_events_default;
    enough integer;
BEGIN
    WHILE first_time IS NOT NULL LOOP
        is_month := first_time >= '1970-01-01' AND first_time < '2100-01-01';
        IF is_month THEN
            begins := date_trunc('month', first_time);
            ends := begins + interval '1 month';
        ELSE
            begins := CASE WHEN first_time < '1970-01-01' THEN '-infinity' ELSE '2100-01-01' END;
            ends := CASE WHEN first_time < '1970-01-01' THEN '1970-01-01' ELSE 'infinity' END;
        END IF;
        enough := CASE WHEN begins BETWEEN this_month AND last_month THEN 1 ELSE fewest END;
        IF (
            SELECT count(*) >= enough
            FROM (
                SELECT FROM public.lineage_events_default WHERE event_time >= begins AND event_time < ends LIMIT enough
            ) AS counted
        ) THEN
            RETURN NEXT;
        END IF;
        first_time := min(event_time) FROM public.lineage_events_default WHERE event_time >= ends AND event_time < 'infinity';
    END LOOP;
END
$$;
