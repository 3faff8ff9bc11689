-- Why some rows of a table that were planned to go are still there, when nothing more goes.
SELECT coalesce(judged.stays, 'heard of again') AS reason, count(*) AS rows
FROM approved
JOIN {table} USING (uuid)
LEFT JOIN {judged} AS judged USING (uuid)
WHERE kind = %(table)s
GROUP BY reason
