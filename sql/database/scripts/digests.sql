-- The digest of each script that the store has.
SELECT path, digest FROM schema_scripts
