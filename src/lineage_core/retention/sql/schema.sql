-- name: views/retention_holds_in_force
-- The legal holds that are not released and that have not ended by themselves.
-- readers: whoever plans retention, and normalization behind a horizon
-- reads: retention_hold_releases, retention_holds
-- open to operators: it shows people what they themselves have set
CREATE VIEW retention_holds_in_force AS
SELECT held.*
FROM retention_holds AS held
WHERE (held.until IS NULL OR held.until > now())
  AND NOT EXISTS (SELECT FROM retention_hold_releases AS released WHERE released.hold = held.id);

COMMENT ON VIEW retention_holds_in_force IS 'The legal holds that are not released and that have not ended.';

-- name: views/retention_policies_in_force
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

-- name: access/functions
-- Who may call the functions that do what their owner may.
REVOKE EXECUTE ON FUNCTION
    public.delete_archived_events, public.drop_event_partition, public.restore_events, public.keep_holds,
    public.names_something
FROM PUBLIC;
GRANT EXECUTE ON FUNCTION public.delete_archived_events, public.drop_event_partition, public.keep_holds TO lineage_jobs;
GRANT EXECUTE ON FUNCTION public.restore_events, public.names_something TO lineage_operator;
GRANT EXECUTE ON FUNCTION public.names_something TO lineage_reader;
