-- Whether the ledger knows a staged event under the other verdict. It was staged, then, before the slice with its first copy was
-- merged.
SELECT EXISTS (
    SELECT
    FROM {staging}.event_ledger AS staged
    JOIN event_ledger AS known
        ON known.event_order = event_order(substr(staged.event_order, 2), NOT is_ahead(staged.event_order))
    WHERE staged.part_id = ANY (%(parts)s)
);
