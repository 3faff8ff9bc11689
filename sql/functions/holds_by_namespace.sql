-- What the legal holds in force are about, for each namespace of the tables that their patterns mean. One whose time ends before it
-- begins is about nothing.
CREATE OR REPLACE FUNCTION holds_by_namespace()
RETURNS TABLE (
    hold bigint, namespace_uuid uuid, namespace text, dataset text, job text, run uuid, events_since timestamptz,
    events_until timestamptz
)
LANGUAGE sql STABLE
SET search_path = pg_catalog, public, pg_temp
AS $$
    SELECT held.id, named.uuid, named.name, held.dataset, held.job, held.run, held.events_since, held.events_until
    FROM retention_holds_in_force AS held
    JOIN namespaces AS named ON namespace_fits(held.namespace_pattern, formatted_namespace(named.name))
    WHERE held.manifest IS NULL AND coalesce(held.events_since < held.events_until, true)
$$;
