-- How many keys of a range are left, but never more than two: one is put into quarantine, several are split.
SELECT count(*)
FROM (
    SELECT DISTINCT {key}
    FROM {table}
    WHERE (%(after)s::{kind} IS NULL OR {key} > %(after)s::{kind}) AND {key} <= %(until)s::{kind}
    LIMIT 2
) AS kept
