-- Every legal hold that was ever placed, and how it ended.
SELECT
    held.*,
    released.released_by,
    released.released_at,
    released.why AS released_because,
    EXISTS (SELECT FROM retention_holds_in_force AS counting WHERE counting.id = held.id) AS is_in_force,
    names_something(held.id) AS is_known
FROM retention_holds AS held
LEFT JOIN retention_hold_releases AS released ON released.hold = held.id
ORDER BY held.id
