-- Makes the partitions of this month and of `months_ahead` more, and one for each past month of which the default
-- partition holds from `fewest` to `most` events. Fewer are late ones, which may stay; to move more would keep everybody
-- out of the table for long, so the owner calls ensure_event_partition for such a month in a quiet hour. Months further
-- ahead, and years before computers, come from wrong clocks and stay in the default partition. Returns the names of the
-- partitions made. Locks last until the transaction ends, so call it in one of its own.
CREATE OR REPLACE FUNCTION ensure_event_partitions(
    months_ahead integer, fewest integer DEFAULT 1000, most integer DEFAULT 100000
)
RETURNS SETOF text
LANGUAGE plpgsql SECURITY DEFINER
SET search_path = pg_catalog, pg_temp
SET timezone = 'UTC'
AS $$
DECLARE
    this_month timestamptz := date_trunc('month', now());
    first_month CONSTANT timestamptz := '1970-01-01';
    past_month timestamptz;
    made text;
BEGIN
    IF months_ahead NOT BETWEEN 0 AND 24 THEN
        RAISE invalid_parameter_value USING MESSAGE = 'months_ahead must be from 0 to 24, not ' || months_ahead;
    END IF;
    FOR ahead IN 0..months_ahead LOOP
        made := public.ensure_event_partition(this_month + make_interval(months => ahead));
        IF made IS NOT NULL THEN
            RETURN NEXT made;
        END IF;
    END LOOP;
    past_month := date_trunc('month', min(event_time)) FROM public.lineage_events_default
        WHERE event_time >= first_month;
    WHILE past_month < this_month LOOP
        IF count(*) BETWEEN fewest AND most FROM (
            SELECT FROM public.lineage_events_default
            WHERE event_time >= past_month AND event_time < past_month + interval '1 month'
            LIMIT most + 1
        ) AS counted THEN
            made := public.ensure_event_partition(past_month);
            IF made IS NOT NULL THEN
                RETURN NEXT made;
            END IF;
        END IF;
        past_month := date_trunc('month', min(event_time)) FROM public.lineage_events_default
            WHERE event_time >= past_month + interval '1 month';
    END LOOP;
END
$$;
