"""Who a change to come of a dataset's schema reaches, directly or not: `lineage impact`."""
