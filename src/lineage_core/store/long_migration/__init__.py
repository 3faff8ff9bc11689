"""A long migration's life in Postgres: planned and steered, worked off, held, and ended."""
