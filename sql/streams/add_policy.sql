-- What the evolution of a stream's schema may do to its readers.
INSERT INTO stream_policies (stream, allow)
VALUES (%(stream)s, %(allow)s)
