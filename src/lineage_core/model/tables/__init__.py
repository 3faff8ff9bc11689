"""The tables of the lineage model, one file each; found by looking, so a new table is a new file."""
