-- Order of the event that a facet which is kept once a run came from.
SELECT first_event FROM run_facets_kept_once WHERE run_uuid = %(uuid)s AND name = %(name)s
