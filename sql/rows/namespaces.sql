-- The namespace that Marquez' server makes when it starts, unless it is there, with a uuid of chance. Its times are of no clock: two
-- stores with the same events are equal.
INSERT INTO namespaces (uuid, created_at, updated_at, name, description)
VALUES (
    key_uuid('namespaces', 'default'),
    '1970-01-01Z',
    '1970-01-01Z',
    'default',
    'The default global namespace for dataset, job, and run metadata not belonging to a user-specified namespace.'
);
