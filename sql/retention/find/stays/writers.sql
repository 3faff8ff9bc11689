-- The run that has written the current version of a dataset that stays stays. Where a namespace is emptied it goes, and a version of
-- another namespace then names no run; but those that have written what stays of such a namespace itself stay: it stays whole.
UPDATE old_runs
SET stays = 'current'
WHERE (stays IS NULL OR stays = 'parent of a run that stays')
  AND CASE
      WHEN is_emptied THEN uuid IN (
          SELECT mention.run_uuid
          FROM cutoffs AS cutoff
          JOIN datasets AS dataset ON dataset.namespace_name = cutoff.namespace
          JOIN dataset_mentions AS mention ON mention.dataset_uuid = dataset.uuid AND mention.role = output_role()
          LEFT JOIN old_datasets AS old ON old.uuid = dataset.uuid
          WHERE cutoff.kind = 'entities' AND NOT mention.is_purged AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      ELSE uuid IN (
          SELECT version.run_uuid
          FROM dataset_versions AS version
          JOIN datasets AS dataset ON dataset.current_version_uuid = version.uuid
          LEFT JOIN old_datasets AS old ON old.uuid = dataset.uuid
          WHERE old.uuid IS NULL OR old.stays IS NOT NULL
      )
  END
