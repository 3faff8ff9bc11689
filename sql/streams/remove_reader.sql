-- Forgets a reader.
DELETE FROM stream_readers
WHERE stream = %(stream)s AND reader = %(reader)s
