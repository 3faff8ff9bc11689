-- The content of one facet, by its place in the table.
SELECT convert_to(facet::text, 'UTF8') FROM dataset_facets WHERE ctid = %(place)s::tid
