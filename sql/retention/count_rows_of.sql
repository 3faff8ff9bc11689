-- How many rows of a table name what goes.
SELECT count(*) FROM {table} AS stored JOIN {leaving} AS leaving ON stored.{column} = leaving.{key}
