-- What a run that stays names as its parent stays, and what stands for it. A run that stays for that alone keeps no parent of its own,
-- or a chain of runs that start each other would stay for ever. But the run that stands for that one is made of what it says, so that
-- one stays. Such a run has no parent, so this ends.
UPDATE old_runs
SET stays = 'parent of a run that stays'
WHERE stays IS NULL
  AND uuid IN (
      SELECT child.parent_run_uuid
      FROM runs AS child
      LEFT JOIN old_runs AS old ON old.uuid = child.uuid
      WHERE child.parent_run_uuid IS NOT NULL
        AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')
      UNION ALL
      SELECT mention.parent_run_uuid
      FROM parent_mentions AS mention
      LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
      WHERE NOT mention.is_purged
        AND (old.uuid IS NULL OR old.stays <> 'parent of a run that stays')
      UNION ALL
      SELECT mention.made_run_uuid
      FROM parent_mentions AS mention
      LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
      WHERE NOT mention.is_purged AND (old.uuid IS NULL OR old.stays IS NOT NULL)
  )
