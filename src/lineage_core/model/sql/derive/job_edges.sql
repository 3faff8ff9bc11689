-- What jobs read and write, and what they state of columns, from when until when.
-- again: A moment in force arrives, or what its run had named by then is more.
-- reads: job_version_timeline, moment_datasets, moments_in_force
-- writes: job_edges
-- removes: job_edges
--
-- An edge begins at a moment in force that has it where the one before has not, and ends at one that has not where the one before
-- has. So what a moment changes is to be seen at it and at the next, and nowhere else: those places are compared, by what is stored
-- for moments that the slice does not touch. Of a job that does what it did before, nothing is written.

-- edge_places: the touched moments in force and those next to them, each with the moment before it.
CREATE TEMP TABLE edge_places ON COMMIT DROP AS
WITH next_to AS (
    SELECT job_uuid, event_order, true AS is_touched
    FROM moments_in_force
    UNION ALL
    SELECT touched.job_uuid, beside.event_order, false
    FROM moments_in_force AS touched
    CROSS JOIN LATERAL (
        (
            SELECT event_order
            FROM job_version_timeline AS stored
            WHERE stored.job_uuid = touched.job_uuid AND stored.event_order < touched.event_order
            ORDER BY stored.event_order DESC
            LIMIT 1
        )
        UNION ALL
        (
            SELECT event_order
            FROM job_version_timeline AS stored
            WHERE stored.job_uuid = touched.job_uuid AND stored.event_order > touched.event_order
            ORDER BY stored.event_order
            LIMIT 1
        )
    ) AS beside
),
places AS (
    SELECT job_uuid, event_order, bool_or(is_touched) AS is_touched FROM next_to GROUP BY job_uuid, event_order
)
-- The place before a touched one is its neighbour, so it is among the places. Before the first of several neighbours in a row it
-- may not be: that one is not compared.
SELECT
    *,
    lag(event_order) OVER in_order AS event_before,
    is_touched OR coalesce(lag(is_touched) OVER in_order, false) AS is_compared
FROM places
WINDOW in_order AS (PARTITION BY job_uuid ORDER BY event_order);

CREATE UNIQUE INDEX ON edge_places (job_uuid, event_order);
ANALYZE edge_places;

-- edges_around: the stored edges of these jobs that begin, hold or end between the first and the last of their places.
CREATE TEMP TABLE edges_around ON COMMIT DROP AS
SELECT stored.*
FROM (
    SELECT DISTINCT ON (job_uuid)
        job_uuid,
        event_order AS first_order,
        last_value(event_order) OVER (
            PARTITION BY job_uuid ORDER BY event_order ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED FOLLOWING
        ) AS last_order
    FROM edge_places
    ORDER BY job_uuid, event_order
) AS stretch
JOIN job_edges AS stored
    ON stored.job_uuid = stretch.job_uuid
   AND stored.until_event >= stretch.first_order
   AND stored.since_event <= stretch.last_order;

ANALYZE edges_around;

-- edges_at_places: the edges that each of these moments has.
CREATE TEMP TABLE edges_at_places ON COMMIT DROP AS
SELECT DISTINCT touched.job_uuid, touched.event_order, named.role, named.name_uuid, described.lineage_uuid
FROM moments_in_force AS touched
JOIN moment_datasets AS named USING (event_order)
CROSS JOIN LATERAL (
    SELECT '00000000-0000-0000-0000-000000000000'::uuid AS lineage_uuid
    UNION ALL
    SELECT named.lineage_uuid
    WHERE named.lineage_uuid IS NOT NULL
) AS described
UNION ALL
SELECT place.job_uuid, place.event_order, stored.role, stored.name_uuid, stored.lineage_uuid
FROM edge_places AS place
JOIN edges_around AS stored
    ON stored.job_uuid = place.job_uuid
   AND stored.since_event <= place.event_order
   AND stored.until_event > place.event_order
WHERE NOT place.is_touched;

ANALYZE edges_at_places;

-- edge_turns: where an edge now begins (is_begin) or ends, of the places that are compared.
CREATE TEMP TABLE edge_turns ON COMMIT DROP AS
SELECT
    coalesce(here.job_uuid, before.job_uuid) AS job_uuid,
    coalesce(here.role, before.role) AS role,
    coalesce(here.name_uuid, before.name_uuid) AS name_uuid,
    coalesce(here.lineage_uuid, before.lineage_uuid) AS lineage_uuid,
    coalesce(here.event_order, before.event_order) AS event_order,
    here.job_uuid IS NOT NULL AS is_begin
FROM (
    SELECT edge.*
    FROM edge_places AS place
    JOIN edges_at_places AS edge USING (job_uuid, event_order)
    WHERE place.is_compared
) AS here
FULL JOIN (
    SELECT edge.job_uuid, place.event_order, edge.role, edge.name_uuid, edge.lineage_uuid
    FROM edge_places AS place
    JOIN edges_at_places AS edge ON edge.job_uuid = place.job_uuid AND edge.event_order = place.event_before
    WHERE place.is_compared
) AS before USING (job_uuid, event_order, role, name_uuid, lineage_uuid)
WHERE here.job_uuid IS NULL OR before.job_uuid IS NULL;

ANALYZE edge_turns;

-- edge_turns_before: the same by what is stored.
CREATE TEMP TABLE edge_turns_before ON COMMIT DROP AS
SELECT stored.job_uuid, stored.role, stored.name_uuid, stored.lineage_uuid, turn.event_order, turn.is_begin
FROM edges_around AS stored
CROSS JOIN LATERAL (VALUES (stored.since_event, true), (stored.until_event, false)) AS turn (event_order, is_begin)
JOIN edge_places AS place ON place.job_uuid = stored.job_uuid AND place.event_order = turn.event_order
WHERE place.is_compared;

ANALYZE edge_turns_before;

-- turned_edges: the edges of which these differ.
CREATE TEMP TABLE turned_edges ON COMMIT DROP AS
SELECT DISTINCT job_uuid, role, name_uuid, lineage_uuid
FROM (
    (TABLE edge_turns EXCEPT TABLE edge_turns_before)
    UNION ALL
    (TABLE edge_turns_before EXCEPT TABLE edge_turns)
) AS differing;

ANALYZE turned_edges;

-- edges_now: these edges between the first and the last place, from each beginning to the end behind it.
CREATE TEMP TABLE edges_now ON COMMIT DROP AS
SELECT job_uuid, role, name_uuid, lineage_uuid, event_order AS since_event, until_event
FROM (
    SELECT *, lead(event_order, 1, '\xff') OVER (PARTITION BY job_uuid, role, name_uuid, lineage_uuid ORDER BY event_order) AS until_event
    FROM (
        SELECT turn.*
        FROM edge_turns AS turn
        JOIN turned_edges USING (job_uuid, role, name_uuid, lineage_uuid)
        UNION ALL
        SELECT stored.job_uuid, stored.role, stored.name_uuid, stored.lineage_uuid, turn.event_order, turn.is_begin
        FROM edges_around AS stored
        JOIN turned_edges USING (job_uuid, role, name_uuid, lineage_uuid)
        CROSS JOIN LATERAL (VALUES (stored.since_event, true), (stored.until_event, false)) AS turn (event_order, is_begin)
        LEFT JOIN edge_places AS place
            ON place.job_uuid = stored.job_uuid AND place.event_order = turn.event_order AND place.is_compared
        WHERE place.job_uuid IS NULL AND turn.event_order <> '\xff'
    ) AS turns
) AS paired
WHERE is_begin;

ANALYZE edges_now;

DELETE FROM job_edges AS stored
USING edges_around AS around
JOIN turned_edges USING (job_uuid, role, name_uuid, lineage_uuid)
WHERE (stored.job_uuid, stored.role, stored.name_uuid, stored.lineage_uuid, stored.since_event)
    = (around.job_uuid, around.role, around.name_uuid, around.lineage_uuid, around.since_event)
  AND NOT EXISTS (
      SELECT
      FROM edges_now AS now
      WHERE (now.job_uuid, now.role, now.name_uuid, now.lineage_uuid, now.since_event)
          = (stored.job_uuid, stored.role, stored.name_uuid, stored.lineage_uuid, stored.since_event)
  );

MERGE INTO job_edges AS stored
USING edges_now AS now
    ON stored.job_uuid = now.job_uuid
   AND stored.role = now.role
   AND stored.name_uuid = now.name_uuid
   AND stored.lineage_uuid = now.lineage_uuid
   AND stored.since_event = now.since_event
WHEN MATCHED AND stored.until_event <> now.until_event THEN UPDATE SET until_event = now.until_event
WHEN NOT MATCHED THEN INSERT (job_uuid, role, name_uuid, lineage_uuid, since_event, until_event)
VALUES (now.job_uuid, now.role, now.name_uuid, now.lineage_uuid, now.since_event, now.until_event);
