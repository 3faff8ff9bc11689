-- Settings that no store of lineage should have.
SELECT format('%s is %s', name, setting)
FROM pg_settings
WHERE name IN ('fsync', 'full_page_writes', 'autovacuum', 'track_counts') AND setting <> 'on'
ORDER BY name COLLATE "C"
