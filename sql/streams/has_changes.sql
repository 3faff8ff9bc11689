-- Whether a transaction has changed a table that the snapshot of what is published does not see.
SELECT EXISTS (
    SELECT
    FROM {changes} AS changed
    WHERE NOT pg_visible_in_snapshot(change_xid, %(published)s::pg_snapshot)
)
