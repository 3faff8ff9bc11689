-- Writes how many rows of each table a part has staged.
INSERT INTO staged_parts (part_id, epoch, slice, partition, rows)
VALUES (%(part_id)s, %(epoch)s, %(slice)s, %(partition)s, %(rows)s)
