-- The mentions of parents of a chunk that nothing needs any more, by runs that were deleted before.
DELETE FROM parent_mentions AS stored
USING leaving_parents AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND (stored.parent_run_uuid, stored.event_order) = (leaving.parent_run_uuid, leaving.event_order)
