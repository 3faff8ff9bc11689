-- Keeps others out of a range until the transaction ends; no row if another worker has it.
SELECT id FROM migration_ranges WHERE id = %(id)s AND worker = %(worker)s AND state = 'running' FOR UPDATE
