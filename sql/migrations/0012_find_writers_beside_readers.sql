-- Who wrote a dataset that very many read is found without a look at what these have read. The old index goes first: that takes the
-- strongest lock at once, which a lock of the new one, taken before, could only wait for, and a merge with it.
DROP INDEX job_edges_name_index;
CREATE INDEX job_edges_name_index ON job_edges (name_uuid, role, until_event);
COMMENT ON INDEX job_edges_name_index IS 'Who read, or wrote, a dataset at a moment.';
