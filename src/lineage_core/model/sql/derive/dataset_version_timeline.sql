-- Which version of a dataset is current from when, by the written versions and the COMPLETE events of their runs.
-- again: A mention of the dataset, or an ending of a run that wrote it, arrives.
-- reads: dataset_mentions, event_ledger, new_events, slice_mentions
-- writes: dataset_version_timeline
-- removes: dataset_version_timeline
--
-- Which version is current from when. A run's COMPLETE makes current what the run had written by then; a dataset event and an
-- event of a streaming job do so at once. A dataset that is read before anyone wrote it gets the reader's version.

-- written_pointers: the places of the timeline that the new events make, or may change.
CREATE TEMP TABLE written_pointers ON COMMIT DROP AS
WITH completes AS (
    SELECT run_uuid, event_order
    FROM new_events
    WHERE is_complete
    UNION
    SELECT event_ledger.run_uuid, event_ledger.event_order
    FROM (
        SELECT DISTINCT ON (run_uuid) run_uuid, event_order
        FROM slice_mentions
        WHERE role = output_role() AND run_uuid IS NOT NULL
        ORDER BY run_uuid, event_order
    ) AS first_written
    JOIN event_ledger
        ON event_ledger.run_uuid = first_written.run_uuid
       AND event_ledger.is_complete
       AND event_ledger.event_order >= first_written.event_order
)
SELECT *
FROM (
    SELECT DISTINCT ON (event_order, dataset_uuid) dataset_uuid, event_order, version_uuid
    FROM slice_mentions
    WHERE is_current_at_once
    ORDER BY event_order, dataset_uuid, place DESC
) AS current_at_once
UNION
SELECT *
FROM (
    SELECT DISTINCT ON (completes.event_order, written.dataset_uuid)
        written.dataset_uuid,
        completes.event_order,
        written.version_uuid
    FROM completes
    JOIN dataset_mentions AS written
        ON written.run_uuid = completes.run_uuid
       AND written.role = output_role()
       AND written.event_order <= completes.event_order
    ORDER BY completes.event_order, written.dataset_uuid, written.event_order DESC, written.place DESC
) AS completed;

ANALYZE written_pointers;

-- changed_timelines: the datasets whose timeline changes, and from when on.
CREATE TEMP TABLE changed_timelines ON COMMIT DROP AS
SELECT DISTINCT ON (dataset_uuid) dataset_uuid, event_order
FROM written_pointers
WHERE NOT EXISTS (
    SELECT
    FROM dataset_version_timeline AS stored
    WHERE stored.dataset_uuid = written_pointers.dataset_uuid
      AND stored.event_order = written_pointers.event_order
      AND stored.is_written
      AND stored.version_uuid = written_pointers.version_uuid
)
ORDER BY dataset_uuid, event_order;

ANALYZE changed_timelines;

MERGE INTO dataset_version_timeline AS stored
USING written_pointers AS written
    ON stored.dataset_uuid = written.dataset_uuid AND stored.event_order = written.event_order AND stored.is_written
WHEN MATCHED AND stored.version_uuid <> written.version_uuid THEN UPDATE SET version_uuid = written.version_uuid
WHEN NOT MATCHED THEN INSERT (dataset_uuid, event_order, is_written, version_uuid)
VALUES (written.dataset_uuid, written.event_order, true, written.version_uuid);

-- first_reads: the first time that any run read a dataset, if it was not written before, of each dataset that the slice
-- reads or whose timeline changes.
CREATE TEMP TABLE first_reads ON COMMIT DROP AS
SELECT touched.dataset_uuid, first_read.event_order, first_read.version_uuid
FROM (
    SELECT dataset_uuid FROM slice_mentions WHERE role = input_role() AND run_uuid IS NOT NULL
    UNION
    SELECT dataset_uuid FROM changed_timelines
) AS touched
CROSS JOIN LATERAL (
    SELECT event_order, version_uuid
    FROM (
        (
            SELECT event_order, place, own_version_uuid AS version_uuid
            FROM dataset_mentions
            WHERE dataset_uuid = touched.dataset_uuid AND role = input_role() AND run_uuid IS NOT NULL
            ORDER BY event_order, place
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order, place, own_version_uuid
            FROM slice_mentions
            WHERE dataset_uuid = touched.dataset_uuid AND role = input_role() AND run_uuid IS NOT NULL
            ORDER BY event_order, place
            LIMIT 1
        )
    ) AS reads
    ORDER BY event_order, place
    LIMIT 1
) AS first_read
LEFT JOIN LATERAL (
    SELECT event_order
    FROM dataset_version_timeline
    WHERE dataset_uuid = touched.dataset_uuid AND is_written
    ORDER BY event_order
    LIMIT 1
) AS first_written ON true
WHERE first_written.event_order IS NULL OR first_written.event_order >= first_read.event_order;

ANALYZE first_reads;

-- dropped_first_reads: versions that a reader made, and would not have made had the late events come in time.
CREATE TEMP TABLE dropped_first_reads ON COMMIT DROP AS
SELECT stored.dataset_uuid, stored.event_order, stored.version_uuid
FROM dataset_version_timeline AS stored
LEFT JOIN first_reads USING (dataset_uuid, event_order)
WHERE NOT stored.is_written
  AND first_reads.dataset_uuid IS NULL
  AND stored.dataset_uuid IN (
      SELECT dataset_uuid FROM first_reads
      UNION
      SELECT dataset_uuid FROM changed_timelines
  );

ANALYZE dropped_first_reads;

DELETE FROM dataset_version_timeline AS stored
USING dropped_first_reads AS dropped
WHERE stored.dataset_uuid = dropped.dataset_uuid
  AND stored.event_order = dropped.event_order
  AND NOT stored.is_written;

WITH added AS (
    INSERT INTO dataset_version_timeline (dataset_uuid, event_order, is_written, version_uuid)
    SELECT dataset_uuid, event_order, false, version_uuid
    FROM first_reads
    WHERE NOT EXISTS (
        SELECT
        FROM dataset_version_timeline AS stored
        WHERE stored.dataset_uuid = first_reads.dataset_uuid
          AND stored.event_order = first_reads.event_order
          AND NOT stored.is_written
    )
    RETURNING dataset_uuid, event_order
)
INSERT INTO changed_timelines (dataset_uuid, event_order)
SELECT dataset_uuid, event_order
FROM added
UNION ALL
SELECT dataset_uuid, event_order
FROM dropped_first_reads;

ANALYZE changed_timelines;
