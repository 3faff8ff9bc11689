-- Ends the ownerships of a namespace, but for that of an owner.
UPDATE namespace_ownerships
SET ended_at = now() AT TIME ZONE 'UTC'
FROM owners
WHERE owners.uuid = owner_uuid AND namespace_uuid = %(namespace)s AND ended_at IS NULL AND owners.name <> %(owner)s
