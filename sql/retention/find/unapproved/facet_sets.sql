-- A set of facets that is not in the plan stays, with its facets.
DELETE FROM leaving_facet_sets AS leaving
WHERE NOT EXISTS (SELECT FROM approved WHERE kind = 'facet_sets' AND approved.uuid = leaving.uuid);
