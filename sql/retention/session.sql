-- How a session looks for what goes, and deletes it. The sets of ids that it compares are large, and are hashed only where they
-- have room. A lock that others hold is waited for shortly: the transaction is tried again.
SET work_mem = '128MB';
SET lock_timeout = '2s';
SET search_path = pg_temp, public;
SET jit = off
