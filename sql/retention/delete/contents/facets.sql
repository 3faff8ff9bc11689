-- Rows of facets of a chunk, which nothing names.
DELETE FROM facets AS stored
USING leaving_facets AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.uuid = leaving.uuid
