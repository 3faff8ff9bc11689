-- name: add_owner
-- An owner, unless somebody of that name is known.
INSERT INTO owners (uuid, created_at, name)
VALUES (%(uuid)s, now() AT TIME ZONE 'UTC', %(name)s)
ON CONFLICT (name) DO NOTHING

-- name: begin_ownership
-- Begins the ownership of a namespace, or begins it anew if it has ended.
INSERT INTO namespace_ownerships AS stored (uuid, started_at, namespace_uuid, owner_uuid)
SELECT gen_random_uuid(), now() AT TIME ZONE 'UTC', %(namespace)s, uuid FROM owners WHERE name = %(owner)s
ON CONFLICT (namespace_uuid, owner_uuid) DO UPDATE SET started_at = excluded.started_at, ended_at = NULL
WHERE stored.ended_at IS NOT NULL

-- name: owned
-- Every namespace with its owner, by name.
SELECT name, current_owner_name AS owner FROM namespaces ORDER BY name COLLATE "C"

-- name: lock
-- The uuid of a namespace, whose owner no one else may change until the transaction ends.
SELECT uuid FROM namespaces WHERE name = %(name)s FOR UPDATE

-- name: end_other_ownerships
-- Ends the ownerships of a namespace, but for that of an owner.
UPDATE namespace_ownerships
SET ended_at = now() AT TIME ZONE 'UTC'
FROM owners
WHERE owners.uuid = owner_uuid AND namespace_uuid = %(namespace)s AND ended_at IS NULL AND owners.name <> %(owner)s

-- name: name_owner
-- Writes the name of the owner beside the namespace, where Marquez reads it.
UPDATE namespaces SET current_owner_name = %(owner)s WHERE uuid = %(namespace)s
