-- Attaches the partition of a month; whether that could be done.
SELECT attach_event_partition(%(month)s, %(is_moved)s)
