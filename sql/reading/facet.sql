-- The content of one facet.
SELECT convert_to(facet::text, 'UTF8') FROM facets WHERE uuid = %(uuid)s
