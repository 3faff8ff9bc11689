-- By which keys the things of a chunk were known.
DELETE FROM identity_map AS stored
USING {leaving} AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.entity = %(entity)s AND stored.uuid = leaving.uuid
