-- The policies of retention in the order in which they are asked: the first that fits counts.
-- readers: `lineage retention policy list`, and whoever plans retention
-- reads: retention_policies
-- open to operators: it shows people what they themselves have set
--
-- The most specific namespace comes first: names before patterns, then patterns with more characters of their own. For equal
-- ones, one kind comes before all kinds.
CREATE VIEW retention_policies_in_force AS
SELECT last.kind, last.namespace_pattern, last.older_than, last.keep_last, last.set_by, last.set_at
FROM (
    SELECT DISTINCT ON (kind COLLATE "C", namespace_pattern COLLATE "C") *
    FROM retention_policies
    ORDER BY kind COLLATE "C", namespace_pattern COLLATE "C", id DESC
) AS last
WHERE NOT last.is_removed
ORDER BY
    strpos(last.namespace_pattern, '*') > 0,
    length(replace(last.namespace_pattern, '*', '')) DESC,
    last.kind = '*',
    last.kind COLLATE "C",
    last.namespace_pattern COLLATE "C";

COMMENT ON VIEW retention_policies_in_force IS 'The policies of retention in the order in which they are asked.';
