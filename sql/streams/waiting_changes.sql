-- How many changes of a table the snapshot of what is published does not see, up to some number.
SELECT count(*)
FROM (
    SELECT
    FROM {changes} AS changed
    WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
    LIMIT %(most)s
) AS waiting
