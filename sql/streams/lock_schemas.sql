-- Until the end of the transaction nobody else evolves this stream, sets what its evolution may do, or registers a reader of it.
SELECT pg_advisory_xact_lock(hashtextextended(%(stream)s, 5411769100238117002))
