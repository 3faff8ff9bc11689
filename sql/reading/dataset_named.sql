-- The dataset that a name belongs to, its own or a symlink's, in a namespace as spelled or as formatted.
SELECT dataset_symlinks.dataset_uuid
FROM dataset_symlinks
JOIN namespaces ON namespaces.uuid = dataset_symlinks.namespace_uuid
WHERE namespaces.name IN (%(spelled)s, %(formatted)s) AND dataset_symlinks.name = %(name)s
ORDER BY namespaces.name <> %(spelled)s
LIMIT 1
