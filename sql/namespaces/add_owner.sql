-- An owner, unless somebody of that name is known.
INSERT INTO owners (uuid, created_at, name)
VALUES (%(uuid)s, now() AT TIME ZONE 'UTC', %(name)s)
ON CONFLICT (name) DO NOTHING
