-- name: status/quarantine
-- What is in quarantine, and how much of it people have discarded.
SELECT
    count(*) AS documents, max(received_at) AS last_at, (SELECT count(*) FROM discarded_documents) AS discarded
FROM quarantine

-- name: put
-- Keeps a document that was refused; one that is there already stays as it is. Without a conflict target, so that no right
-- to read is needed.
INSERT INTO quarantine (reason, path, raw, source)
VALUES (%(reason)s, %(path)s, %(raw)b, %(source)s)
ON CONFLICT DO NOTHING

-- name: entries
-- The documents in quarantine behind one, without their text, oldest first; all of them if `most` is null.
SELECT id, reason, path, source, received_at, octet_length(raw) AS size
FROM quarantine
WHERE id > %(after)s
ORDER BY id
LIMIT %(most)s

-- name: entry
-- A document in quarantine, without its text.
SELECT id, reason, path, source, received_at, octet_length(raw) AS size FROM quarantine WHERE id = %(id)s

-- name: discard
-- Takes documents out of quarantine for good; the numbers of those that were there.
SELECT discard_documents(%(documents)s, %(why)s)

-- name: raw
-- The text of a document in quarantine.
SELECT raw FROM quarantine WHERE id = %(id)s

-- name: whole_documents
-- Documents in quarantine, with their texts.
SELECT id, reason, path, source, received_at, octet_length(raw) AS size, raw
FROM quarantine
WHERE id = ANY (%(documents)s::bigint[])
ORDER BY id

-- name: checks/quarantined
-- Documents in quarantine.
SELECT CASE count(*) WHEN 1 THEN '1 document is in quarantine' ELSE format('%s documents are in quarantine', count(*)) END
FROM quarantine
HAVING count(*) > 0
