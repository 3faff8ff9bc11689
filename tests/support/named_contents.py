"""What is stored once is there if, and only if, something names it."""

from __future__ import annotations

from tests.support.stores import rows

_ASTRAY = """
WITH used (uuid) AS (
    SELECT run_facets_uuid FROM event_ledger
    UNION SELECT job_facets_uuid FROM event_ledger
    UNION SELECT facets_uuid FROM dataset_mentions
    UNION SELECT io_facets_uuid FROM dataset_mentions
    EXCEPT SELECT NULL
),
named (uuid) AS (
    SELECT unnest(facets) FROM facet_sets
    UNION SELECT facet_uuid FROM run_facets_kept_once
)
SELECT 'set that nothing uses', uuid FROM (SELECT uuid FROM facet_sets EXCEPT SELECT uuid FROM used) AS one
UNION ALL
SELECT 'set that is missing', uuid FROM (SELECT uuid FROM used EXCEPT SELECT uuid FROM facet_sets) AS one
UNION ALL
SELECT 'content that nothing names', uuid FROM (SELECT uuid FROM facets EXCEPT SELECT uuid FROM named) AS one
UNION ALL
SELECT 'content that is missing', uuid FROM (SELECT uuid FROM named EXCEPT SELECT uuid FROM facets) AS one
UNION ALL
SELECT 'content that is there twice', min(uuid::text)::uuid
FROM facets
WHERE uuid NOT IN (SELECT facet_uuid FROM run_facets_kept_once)
GROUP BY facet::text
HAVING count(*) > 1
"""


def astray(dsn: str) -> list[tuple[str, object]]:
    """Contents and sets that nothing names, those that are named and missing, and contents that are there twice."""
    return [(fault, uuid) for fault, uuid in rows(dsn, _ASTRAY)]
