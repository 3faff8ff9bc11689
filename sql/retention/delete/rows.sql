-- The rows of a table that name what goes of a chunk.
DELETE FROM {table} AS stored
USING {leaving} AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.{column} = leaving.{key}
