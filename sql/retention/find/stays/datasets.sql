-- A dataset stays with each run and job version that has read or written it, and with versions of others that have a schema of it.
UPDATE old_datasets AS dataset
SET stays = 'used by what stays'
WHERE stays IS NULL
  AND (
      EXISTS (
          SELECT
          FROM dataset_mentions AS mention
          LEFT JOIN old_runs AS old ON old.uuid = mention.run_uuid
          WHERE mention.dataset_uuid = dataset.uuid
            AND mention.run_uuid IS NOT NULL
            AND NOT mention.is_purged
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT
          FROM job_versions_io_mapping AS named
          LEFT JOIN old_job_versions AS old ON old.uuid = named.job_version_uuid
          WHERE named.dataset_uuid = dataset.uuid AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
      OR EXISTS (
          SELECT
          FROM dataset_schema_versions AS described
          JOIN dataset_versions AS version ON version.dataset_schema_version_uuid = described.uuid
          LEFT JOIN old_datasets AS old ON old.uuid = version.dataset_uuid
          WHERE described.dataset_uuid = dataset.uuid
            AND version.dataset_uuid <> dataset.uuid
            AND (old.uuid IS NULL OR old.stays IS NOT NULL)
      )
  )
