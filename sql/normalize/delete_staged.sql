-- Removes what some parts have staged for a table.
DELETE FROM {table} WHERE part_id = ANY (%(parts)s)
