-- It leaves nothing behind.
SELECT NULL::text, 0;
