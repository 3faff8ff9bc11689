-- Mentions of the versions of a chunk: by dataset events, and by what is gone.
DELETE FROM dataset_mentions AS stored
USING leaving_versions AS leaving
WHERE leaving.number > %(after)s AND leaving.number <= %(until)s
  AND stored.version_uuid = leaving.uuid
  AND EXISTS (
      SELECT
      FROM leaving_mentions AS mention
      WHERE mention.event_order = stored.event_order
        AND (mention.dataset_uuid, mention.role, mention.place) = (stored.dataset_uuid, stored.role, stored.place)
  )
