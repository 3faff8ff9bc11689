-- How many things of a phase go.
SELECT count(*) FROM {leaving}
