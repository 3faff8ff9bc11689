-- Datasets that are shown, once under each of their names.
-- readers: Marquez' server
-- reads: dataset_symlinks, datasets, namespaces
CREATE VIEW datasets_view AS
SELECT
    dataset.uuid,
    dataset.type,
    dataset.created_at,
    dataset.updated_at,
    CASE WHEN named.is_own THEN dataset.namespace_uuid ELSE namespace.uuid END AS namespace_uuid,
    dataset.source_uuid,
    CASE WHEN named.is_own THEN dataset.name ELSE symlink.name END AS name,
    ARRAY[ROW(namespace.name, symlink.name)::dataset_name] AS dataset_symlinks,
    dataset.physical_name,
    dataset.description,
    dataset.current_version_uuid,
    dataset.last_modified_at,
    CASE WHEN named.is_own THEN dataset.namespace_name ELSE namespace.name END AS namespace_name,
    dataset.source_name,
    dataset.is_deleted
FROM datasets AS dataset
JOIN dataset_symlinks AS symlink ON symlink.dataset_uuid = dataset.uuid
JOIN namespaces AS namespace ON namespace.uuid = symlink.namespace_uuid
CROSS JOIN LATERAL (
    SELECT dataset.namespace_name = namespace.name AND dataset.name = symlink.name
) AS named (is_own)
WHERE dataset.is_hidden IS FALSE;

COMMENT ON VIEW datasets_view IS 'Datasets that are shown, once under each of their names. Marquez reads it.';
