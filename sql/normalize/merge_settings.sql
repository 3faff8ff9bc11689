-- How the planner is to take a merge: the keys that a slice touches are few beside what is stored, and are looked up. The
-- tables may have grown a hundredfold since their statistics were gathered, and then it would read them whole instead.
-- What the merge works with is in temporary tables, and no table of the same name in public may stand in for one of them.
SET LOCAL search_path = pg_temp, public;
SET LOCAL enable_seqscan = off;
SET LOCAL random_page_cost = 1.1;
SET LOCAL jit = off;
-- A driver that stands still in the middle of its merge must not keep all others out.
SET LOCAL idle_in_transaction_session_timeout = '60s';
