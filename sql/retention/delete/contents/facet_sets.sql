-- Rows of facet_sets of a chunk, which nothing names.
DELETE FROM facet_sets AS stored
USING leaving_facet_sets AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
