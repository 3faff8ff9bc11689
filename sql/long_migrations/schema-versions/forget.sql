-- After a failure: what the session knows may be gone, as live normalization removes what nothing refers to.
TRUNCATE known_schemas;
