"""Which runs, versions and columns read something bad, directly or not, and which DAG runs to do again."""
