-- Drops a partition that holds archived raw events and nothing else. False if it does not, or that cannot be now.
SELECT drop_event_partition(%(partition)s, %(rows)s, %(digest)s)
