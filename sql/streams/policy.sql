-- What the evolution of a stream's schema may do to its readers; no row if nobody has set it.
SELECT allow
FROM stream_policies
WHERE stream = %(stream)s
