-- The process of the server that the connection meets in this transaction.
SELECT pg_catalog.pg_backend_pid()
