-- Of the spans of time with so many events in the default partition that these are to be moved: those whose events came more than
-- a day ago. Each normalization run moves some.
SELECT format('Raw events from %%s on have waited for more than a day to leave the default partition', begins)
FROM crowded_event_times(%(months_ahead)s)
WHERE EXISTS (
    SELECT FROM lineage_events
    WHERE event_time >= begins AND event_time < ends AND created_at < now() - interval '1 day'
)
ORDER BY begins
