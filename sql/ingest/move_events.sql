-- Moves some events of a span of time out of the default partition; how many.
SELECT move_events(%(begins)s, %(ends)s)
