-- A hold that nobody has released.
SELECT id
FROM retention_holds AS held
WHERE id = %(hold)s AND NOT EXISTS (SELECT FROM retention_hold_releases AS released WHERE released.hold = held.id)
