-- The streams that have been published, and whether from this cluster. Those of a database that was restored here may still be
-- published from where it was.
SELECT head.stream AS name, head.system_identifier = here.system_identifier AS is_here
FROM stream_heads AS head
CROSS JOIN pg_control_system() AS here
ORDER BY head.stream COLLATE "C"
