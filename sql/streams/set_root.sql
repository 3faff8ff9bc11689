-- Makes a root that of the streams, whichever was before.
INSERT INTO stream_roots AS known (name, root_id, url)
VALUES ('streams', %(root_id)s::uuid, %(url)s)
ON CONFLICT (name) DO UPDATE
SET root_id = excluded.root_id,
    url = excluded.url,
    publication = NULL,
    updated_at = now()
