-- The server's clock, and whether a moment lies behind it.
SELECT now() AS moment, coalesce(%(as_of)s > now(), false) AS is_ahead
