-- The policies of retention in the order in which they are asked: the first that fits counts. Those of one kind come before those
-- of all, and of these the pattern with more characters of its own comes first.
CREATE VIEW retention_policies_in_force AS
SELECT last.kind, last.namespace_pattern, last.older_than, last.keep_last, last.set_by, last.set_at
FROM (
    SELECT DISTINCT ON (kind COLLATE "C", namespace_pattern COLLATE "C") *
    FROM retention_policies
    ORDER BY kind COLLATE "C", namespace_pattern COLLATE "C", id DESC
) AS last
WHERE NOT last.is_removed
ORDER BY
    last.kind = '*',
    strpos(last.namespace_pattern, '*') > 0,
    length(replace(last.namespace_pattern, '*', '')) DESC,
    last.kind COLLATE "C",
    last.namespace_pattern COLLATE "C";

COMMENT ON VIEW retention_policies_in_force IS 'The policies of retention in the order in which they are asked.';
