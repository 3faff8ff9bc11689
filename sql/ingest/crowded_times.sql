-- Spans of time of which the default partition has too many events.
SELECT begins::text, ends::text, is_month FROM crowded_event_times(%(months_ahead)s)
