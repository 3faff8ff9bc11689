-- held_things: what legal holds are about, for each namespace that their patterns mean.
CREATE TEMP TABLE held_things AS
SELECT given.namespace, held.dataset, held.job, held.run, held.events_since, held.events_until
FROM unnest(%(holds)s::bigint[], %(namespaces)s::text[]) AS given (hold, namespace)
JOIN retention_holds_in_force AS held ON held.id = given.hold
