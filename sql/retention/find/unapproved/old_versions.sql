-- A dataset version that is not in the plan stays.
UPDATE old_versions AS old
SET stays = 'not in the plan'
WHERE stays IS NULL AND NOT EXISTS (SELECT FROM approved WHERE kind = 'dataset_versions' AND approved.uuid = old.uuid);
