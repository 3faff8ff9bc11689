-- Turns a stream off. What is published stays.
DELETE FROM streams
WHERE name = %(stream)s
