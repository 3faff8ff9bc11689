-- The schemas that a dataset has had, one after the other, each with its verdict and what it changed.
-- parameters: dataset
-- optional: namespace
\if :{?namespace}
\else
\set namespace ''
\endif
SELECT
    verdict.current_from,
    left(verdict.version_uuid::text, 8) AS version,
    verdict.verdict,
    verdict.changes,
    verdict.refusals
FROM datasets AS dataset
JOIN dataset_schema_verdicts AS verdict ON verdict.dataset_uuid = dataset.uuid
WHERE dataset.name = :'dataset' AND (:'namespace' = '' OR dataset.namespace_name = :'namespace')
ORDER BY verdict.event_order;
