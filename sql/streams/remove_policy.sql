-- Evolution may do anything permitted again.
DELETE FROM stream_policies
WHERE stream = %(stream)s
