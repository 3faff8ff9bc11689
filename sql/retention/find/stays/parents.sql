-- What a run that stays names as its parent stays, and what stands for it. Repeated until it finds none: a parent has parents.
UPDATE old_runs
SET stays = 'parent of a run that stays'
WHERE stays IS NULL
  AND uuid IN (
      SELECT child.parent_run_uuid
      FROM runs AS child
      LEFT JOIN old_runs AS old ON old.uuid = child.uuid
      WHERE child.parent_run_uuid IS NOT NULL AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      UNION ALL
      SELECT named.uuid
      FROM parent_mentions AS mention
      LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
      CROSS JOIN LATERAL (VALUES (mention.parent_run_uuid), (mention.made_run_uuid)) AS named (uuid)
      WHERE NOT mention.is_purged AND (old.uuid IS NULL OR old.stays IS NOT NULL)
  )
