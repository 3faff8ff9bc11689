-- Makes a root that of the streams, unless there is one. Waits for who is about to do the same.
INSERT INTO stream_roots (name, root_id, url)
VALUES ('streams', %(root_id)s::uuid, %(url)s)
ON CONFLICT (name) DO NOTHING
