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

-- name: newest
-- The number of the last act, 0 if there is none.
SELECT coalesce(max(id), 0) FROM operator_acts

-- name: since
-- The first and the last of the acts behind one that a person has asked for.
SELECT min(id) AS first, max(id) AS last
FROM operator_acts
WHERE id > %(newest)s AND person IS NOT DISTINCT FROM %(person)s

-- name: between
-- Acts of a person from one to another, in order, since a moment, whose command begins with a text.
SELECT id, acted_at, login, person, what, subject, outcome
FROM operator_acts
WHERE
    id BETWEEN %(first)s AND %(last)s
    AND person IS NOT DISTINCT FROM %(person)s
    AND starts_with(what, %(what)s)
    AND acted_at >= %(since)s
ORDER BY id
LIMIT %(most)s
