-- Those of some events of which retention has deleted what happened at their time.
SELECT given.identity
FROM unnest(%(identities)s::bytea[], %(events)s::text[], %(event_times)s::timestamptz[]) AS given (identity, event, event_time)
WHERE is_behind_horizon(given.event::jsonb, given.event_time)
