-- So that it is looked up by key.
CREATE UNIQUE INDEX ON approved (kind, uuid);
ANALYZE approved;
