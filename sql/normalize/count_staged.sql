-- How many rows some parts have staged for a table.
SELECT count(*) FROM {table} WHERE part_id = ANY (%(parts)s)
