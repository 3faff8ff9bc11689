-- Whether at least one row in so many waits to be updated.
SELECT count(*) FILTER (WHERE {waiting}) * %(worth)s >= count(*) AND count(*) > 0 FROM {table}
