-- Removes the changes of a table that every stream has published which needs them; all of them, if none is on.
DELETE FROM {changes} AS changed
WHERE NOT EXISTS (
    SELECT
    FROM streams
    LEFT JOIN stream_heads AS head ON head.stream = streams.name AND head.started_xid = streams.started_xid
    WHERE streams.name = ANY (%(streams)s)
      AND (head.published IS NULL OR NOT pg_visible_in_snapshot(changed.change_xid, head.published))
)
