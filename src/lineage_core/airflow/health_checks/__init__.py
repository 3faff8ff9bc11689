"""What `lineage doctor` looks for in Airflow, one file each; found by looking, so a new one is a new file."""
