-- A worker that stands still loses its session, and so its range.
SET idle_in_transaction_session_timeout = '60s';
SET idle_session_timeout = '5min';
SET enable_seqscan = off;
SET jit = off;
