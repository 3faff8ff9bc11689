-- It leaves nothing behind.
SELECT NULL::text AS last, 0 AS removed;
