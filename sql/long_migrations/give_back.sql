-- Leaves a range to others, as it is, unless another worker has it.
UPDATE migration_ranges SET state = 'pending', worker = NULL WHERE id = %(id)s AND worker = %(worker)s
