"""Which jobs read and write which datasets, at any moment: `lineage graph`."""
