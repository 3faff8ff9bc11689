-- The namespace that Marquez' server makes when it starts, unless it is there, with a uuid of chance.
INSERT INTO namespaces (uuid, created_at, updated_at, name, description)
VALUES (
    key_uuid('namespaces', 'default'),
    now(),
    now(),
    'default',
    'The default global namespace for dataset, job, and run metadata not belonging to a user-specified namespace.'
);
