-- The run that has written the current version of a dataset that stays stays. Where a namespace is emptied it goes, and the version
-- names no run.
UPDATE old_runs AS run
SET stays = 'current'
FROM dataset_versions AS version
JOIN datasets AS dataset ON dataset.current_version_uuid = version.uuid
LEFT JOIN old_datasets AS old ON old.uuid = dataset.uuid
WHERE version.run_uuid = run.uuid
  AND (run.stays IS NULL OR run.stays = 'parent of a run that stays')
  AND NOT run.is_emptied
  AND (old.uuid IS NULL OR old.stays IS NOT NULL)
