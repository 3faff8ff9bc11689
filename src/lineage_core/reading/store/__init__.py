"""How facets are found and fetched."""
