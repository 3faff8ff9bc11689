"""The receiver: OpenLineage over HTTP, for every producer that speaks `POST /api/v1/lineage`."""
