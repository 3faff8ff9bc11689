-- What stands in these brackets is a query that returns rows. Two of them show that there is more than one.
SELECT * FROM (
{query}
) AS asked LIMIT 2
