-- Removes all changes of a table, if the head of a stream that needs them is of another cluster: their transactions are, too.
DELETE FROM {changes} AS changed
WHERE EXISTS (
    SELECT
    FROM stream_heads AS head
    CROSS JOIN pg_control_system() AS here
    WHERE head.stream = %(stream)s AND head.system_identifier <> here.system_identifier
)
