-- A document in quarantine, without its text.
SELECT id, reason, path, source, received_at, octet_length(raw) AS size FROM quarantine WHERE id = %(id)s
