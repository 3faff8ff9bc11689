-- How many rows a table has.
SELECT count(*) FROM {table}
