-- Verdicts that are new or have changed.
INSERT INTO dataset_schema_verdicts AS stored (
    dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing, history_uuid
)
SELECT dataset_uuid, event_order, version_uuid, current_from, verdict, changes::jsonb, refusals::jsonb, fencing::jsonb, history_uuid
FROM unnest(
    %(datasets)s::uuid[], %(places)s::bytea[], %(versions)s::uuid[], %(times)s::timestamptz[], %(verdicts)s::text[],
    %(changes)s::text[], %(refusals)s::text[], %(fencings)s::text[], %(histories)s::uuid[]
) AS judged (
    dataset_uuid, event_order, version_uuid, current_from, verdict, changes, refusals, fencing, history_uuid
)
ORDER BY dataset_uuid, event_order
ON CONFLICT (dataset_uuid, event_order) DO UPDATE SET
    version_uuid = excluded.version_uuid,
    current_from = excluded.current_from,
    verdict = excluded.verdict,
    changes = excluded.changes,
    refusals = excluded.refusals,
    fencing = excluded.fencing,
    history_uuid = excluded.history_uuid
WHERE (
    stored.version_uuid, stored.current_from, stored.verdict, stored.changes, stored.refusals, stored.fencing, stored.history_uuid
) IS DISTINCT FROM (
    excluded.version_uuid, excluded.current_from, excluded.verdict, excluded.changes, excluded.refusals, excluded.fencing,
    excluded.history_uuid
)
