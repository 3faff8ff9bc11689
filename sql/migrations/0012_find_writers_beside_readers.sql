-- Who wrote a dataset that very many read is found without a look at what these have read. Readers of the table go on until the old
-- index goes.
CREATE INDEX job_edges_name_role_index ON job_edges (name_uuid, role, until_event);
DROP INDEX job_edges_name_index;
ALTER INDEX job_edges_name_role_index RENAME TO job_edges_name_index;
COMMENT ON INDEX job_edges_name_index IS 'Who read, or wrote, a dataset at a moment.';
