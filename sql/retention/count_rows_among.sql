-- How many rows of a table that are about one kind of thing name what goes.
SELECT count(*) FROM {table} AS stored JOIN {leaving} AS leaving ON stored.{column} = leaving.{key} WHERE stored.{of} = %(among)s
