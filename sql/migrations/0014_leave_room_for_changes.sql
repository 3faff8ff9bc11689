-- Rows of these tables change in columns that no index has. Where their page has room for the changed row, no index gets an entry.
-- Pages that are full stay so: only new ones, and those that VACUUM FULL makes, leave room.
ALTER TABLE datasets SET (fillfactor = 50);
ALTER TABLE jobs SET (fillfactor = 50);
ALTER TABLE dataset_names SET (fillfactor = 70);
ALTER TABLE job_versions SET (fillfactor = 70);
