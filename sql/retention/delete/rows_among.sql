-- Of the rows of a table that are about one kind of thing, those that name what goes of a chunk.
DELETE FROM {table} AS stored
USING {leaving} AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s AND stored.{of} = %(among)s AND stored.{column} = leaving.{key}
