-- Lets a range be taken again after a pause.
UPDATE migration_ranges
SET state = 'waiting',
    worker = NULL,
    attempts = %(attempts)s,
    not_before = clock_timestamp() + make_interval(secs => %(seconds)s)
WHERE id = %(id)s
