-- Puts archived raw events back; how many were not there.
SELECT restore_events(%(hold)s, %(events)b, %(event_times)s::timestamptz[], %(created_ats)s::timestamptz[], %(copies)s)
