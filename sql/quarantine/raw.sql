-- The text of a document in quarantine.
SELECT raw FROM quarantine WHERE id = %(id)s
