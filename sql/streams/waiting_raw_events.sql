-- How many raw events have arrived that the snapshot of what is published does not see, up to some number.
SELECT count(*)
FROM (SELECT FROM ({events}) AS arrived LIMIT %(most)s) AS waiting
