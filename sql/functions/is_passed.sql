-- Whether a watermark has passed the event of an arrival number: what it says of one that has none of here is no.
CREATE OR REPLACE FUNCTION is_passed(
    arrived_xid bigint, arrival_seq bigint, done pg_snapshot, target pg_snapshot, cursor_xid bigint, cursor_seq bigint
)
RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
RETURN coalesce(
    arrived_xid > 0
    AND (
        pg_visible_in_snapshot(arrived_xid::text::xid8, done)
        OR (
            pg_visible_in_snapshot(arrived_xid::text::xid8, target)
            AND (arrived_xid, arrival_seq) <= (cursor_xid, cursor_seq)
        )
    ),
    false
);
