-- How many rows of one temporary table go.
SELECT count(*) FROM {found}
