-- name: record
-- Writes what somebody did; its number.
SELECT record_act(%(what)s, %(subject)s, %(outcome)s, %(person)s)

-- name: last
-- The last acts, the last first.
SELECT id, acted_at, login, person, what, subject, outcome
FROM operator_acts
WHERE (%(before)s::bigint IS NULL OR id < %(before)s) AND starts_with(what, %(what)s)
ORDER BY id DESC
LIMIT %(most)s

-- name: one
-- An act.
SELECT id, acted_at, login, person, what, subject, outcome FROM operator_acts WHERE id = %(id)s
