-- Who normalizes now, and when the watermark last moved.
SELECT
    (SELECT updated_at FROM watermarks WHERE name = %(name)s) AS moved_at,
    (SELECT holder FROM leases WHERE name = %(name)s AND expires_at > now()) AS holder
