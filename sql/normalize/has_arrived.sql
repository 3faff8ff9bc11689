-- Whether an event is here that the snapshot of what is done does not see, or a run was interrupted. What a statement sees has committed.
SELECT EXISTS (
    SELECT FROM lineage_events
    WHERE arrived_xid = ANY (
        ARRAY(SELECT pg_snapshot_xip(done)::text::bigint FROM watermarks WHERE name = %(name)s)
    )
    UNION ALL
    SELECT FROM lineage_events
    WHERE arrived_xid >= coalesce(
        (SELECT pg_snapshot_xmax(done)::text::bigint FROM watermarks WHERE name = %(name)s), 0
    )
    UNION ALL
    SELECT FROM watermarks
    WHERE name = %(name)s AND target IS NOT NULL
)
