-- Begins the ownership of a namespace, or begins it anew if it has ended.
INSERT INTO namespace_ownerships AS stored (uuid, started_at, namespace_uuid, owner_uuid)
SELECT gen_random_uuid(), now() AT TIME ZONE 'UTC', %(namespace)s, uuid FROM owners WHERE name = %(owner)s
ON CONFLICT (namespace_uuid, owner_uuid) DO UPDATE SET started_at = excluded.started_at, ended_at = NULL
WHERE stored.ended_at IS NOT NULL
