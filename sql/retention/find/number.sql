-- So that a chunk of what goes is found by its numbers.
CREATE UNIQUE INDEX ON {leaving} (number)
