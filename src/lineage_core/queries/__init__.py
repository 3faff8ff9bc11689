"""Named queries: questions that people ask of the tables, each a file of `sql/queries/` that psql runs, too."""
