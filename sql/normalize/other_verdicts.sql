-- Whether the ledger knows a staged event under the other verdict: the first byte of the order, 0 if it lay ahead of its
-- receipt, else 1. It was staged, then, before the slice with its first copy was merged.
SELECT EXISTS (
    SELECT
    FROM staging.event_ledger AS staged
    JOIN event_ledger AS known
        ON known.event_order = set_byte(staged.event_order, 0, 1 - get_byte(staged.event_order, 0))
    WHERE staged.part_id = ANY (%(parts)s)
);
