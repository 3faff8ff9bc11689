"""What is stored once is there if, and only if, something names it."""

from __future__ import annotations

from lineage_core.postgres.store import Store
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
UNION ALL
SELECT 'column that another schema describes than the last that has it', field.uuid
FROM dataset_fields AS field
JOIN datasets AS dataset ON dataset.uuid = field.dataset_uuid
LEFT JOIN LATERAL (
    SELECT schema.uuid, schema.created_at, schema.latest_event, described.description
    FROM dataset_schemas AS schema
    CROSS JOIN LATERAL schema_fields(schema.fields, schema.field_keys, schema.keyed_fields) AS described
    LEFT JOIN identity_map AS known ON known.entity = 'dataset_fields' AND known.key_uuid = described.uuid
    WHERE schema.own_name_uuid = dataset.name_uuid AND coalesce(known.uuid, described.uuid) = field.uuid
    ORDER BY schema.latest_event DESC, described.place DESC
    LIMIT 1
) AS last ON true
WHERE field.first_event IS NOT NULL
  AND CASE
      WHEN field.latest_event IS NULL THEN
          (field.schema_uuid, field.updated_at, field.description)
              IS DISTINCT FROM (last.uuid, last.created_at, last.description)
      ELSE field.schema_uuid IS NOT NULL OR last.latest_event > field.latest_event
  END
UNION ALL
SELECT 'list of pairs that holds nowhere', pairs_uuid
FROM (SELECT pairs_uuid FROM column_lineage_pairs EXCEPT SELECT pairs_uuid FROM column_lineage_versions) AS one
UNION ALL
SELECT 'list of pairs that is missing', pairs_uuid
FROM (SELECT pairs_uuid FROM column_lineage_versions EXCEPT SELECT pairs_uuid FROM column_lineage_pairs) AS one
UNION ALL
SELECT 'list of other pairs than those of its id', pairs_uuid
FROM (
    SELECT
        pairs_uuid,
        encode(
            substr(
                sha256(
                    string_agg(
                        convert_to(
                            jsonb_build_array(
                                output_dataset_field_uuid, input_dataset_field_uuid, transformation_type,
                                transformation_description, microseconds(created_at), microseconds(updated_at)
                            )::text,
                            'UTF8'
                        ),
                        '' ORDER BY output_dataset_field_uuid, input_dataset_field_uuid
                    )
                ),
                1,
                16
            ),
            'hex'
        )::uuid AS made
    FROM column_lineage_pairs
    GROUP BY pairs_uuid
) AS one
WHERE made <> pairs_uuid
UNION ALL
SELECT 'pair that is not shown, or shown twice', output_dataset_version_uuid
FROM column_lineage_versions AS versions
LEFT JOIN (
    SELECT pairs_uuid, count(*) AS pairs FROM column_lineage_pairs GROUP BY pairs_uuid
) AS listed USING (pairs_uuid)
LEFT JOIN (
    SELECT output_dataset_version_uuid, input_dataset_version_uuid, count(*) AS pairs FROM column_lineage GROUP BY 1, 2
) AS shown USING (output_dataset_version_uuid, input_dataset_version_uuid)
WHERE listed.pairs IS DISTINCT FROM shown.pairs
UNION ALL
SELECT 'list of pairs of another dataset', pairs_uuid
FROM column_lineage_lists AS listed
CROSS JOIN LATERAL unnest(output_field_uuids, input_field_uuids) AS pair (output_uuid, input_uuid)
JOIN dataset_fields AS output_field ON output_field.uuid = pair.output_uuid
JOIN dataset_fields AS input_field ON input_field.uuid = pair.input_uuid
WHERE (output_field.dataset_uuid, input_field.dataset_uuid) <> (listed.output_dataset_uuid, listed.input_dataset_uuid)
UNION ALL
SELECT 'list of pairs that is kept twice', pairs_uuid
FROM (SELECT pairs_uuid FROM column_lineage_lists INTERSECT SELECT pairs_uuid FROM column_pairs_to_move) AS one
UNION ALL
SELECT 'column that nothing names', uuid
FROM (
    SELECT uuid FROM dataset_fields
    EXCEPT SELECT dataset_field_uuid FROM dataset_schema_versions_field_mapping
    EXCEPT SELECT dataset_field_uuid FROM dataset_fields_tag_mapping WHERE NOT is_reported
    EXCEPT SELECT coalesce(known.uuid, field.uuid)
    FROM dataset_schemas
    CROSS JOIN LATERAL schema_keys(field_keys, keyed_fields) AS field
    LEFT JOIN identity_map AS known ON known.entity = 'dataset_fields' AND known.key_uuid = field.uuid
) AS one
UNION ALL
SELECT 'schema without a key for each of its fields', uuid
FROM dataset_schemas
WHERE coalesce(cardinality(field_keys), jsonb_array_length(keyed_fields), -1) <> coalesce(jsonb_array_length(fields), 0)
   OR num_nonnulls(field_keys, keyed_fields) <> 1
UNION ALL
SELECT 'column that is missing', uuid
FROM (
    SELECT output_dataset_field_uuid FROM column_lineage_pairs
    UNION SELECT input_dataset_field_uuid FROM column_lineage_pairs
    EXCEPT SELECT uuid FROM dataset_fields
) AS one (uuid)
UNION ALL
SELECT 'version that is missing', uuid
FROM (
    SELECT output_dataset_version_uuid FROM column_lineage_versions
    UNION SELECT input_dataset_version_uuid FROM column_lineage_versions
    EXCEPT SELECT uuid FROM dataset_versions
) AS one (uuid)
UNION ALL
SELECT 'version of a facet that is missing', version_uuid
FROM (SELECT version_uuid FROM dataset_mentions EXCEPT SELECT uuid FROM dataset_versions) AS one
"""


def astray(store: Store) -> list[tuple[str, object]]:
    """What is stored once and nothing names, what is named and missing, and contents that are there twice."""
    return [(fault, uuid) for fault, uuid in rows(store, _ASTRAY)]
