-- Order of the event that a facet which is kept once a run came from.
SELECT event_order FROM run_facets WHERE run_uuid = %(uuid)s AND name = %(name)s AND event_order IS NOT NULL
