-- Up to which time retention has deleted.
SELECT kind, namespace, microseconds(before) AS before FROM retention_horizons
