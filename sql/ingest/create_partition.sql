-- Makes the partition of a month, which is not attached yet; its name, or null if it is there already.
SELECT create_event_partition(%(month)s, %(is_moved)s)
