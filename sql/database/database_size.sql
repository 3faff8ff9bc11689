-- Bytes on disk of the whole database.
SELECT pg_database_size(current_database())
