-- A run that is not in the plan stays.
UPDATE old_runs AS old
SET stays = 'not in the plan'
WHERE stays IS NULL AND NOT EXISTS (SELECT FROM approved WHERE kind = 'runs' AND approved.uuid = old.uuid);
