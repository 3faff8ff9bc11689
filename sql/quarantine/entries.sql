-- The documents in quarantine, without their text, oldest first.
SELECT id, reason, path, source, received_at, octet_length(raw) AS size FROM quarantine ORDER BY id
