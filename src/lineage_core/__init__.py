"""The lineage store's domain: raw OpenLineage events become lineage tables."""
