-- What was found to go and is not in the plan stays.
WITH named AS (
    SELECT number, {planned} AS uuid FROM {leaving}
)
DELETE FROM {leaving} AS leaving
USING named
WHERE named.number = leaving.number
  AND NOT EXISTS (SELECT FROM approved WHERE approved.kind = %(kind)s AND approved.uuid = named.uuid)
