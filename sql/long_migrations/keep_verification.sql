-- Keeps what a verification has found, and when, if it was good.
UPDATE migrations
SET verification = %(verification)s::jsonb,
    verified_at = CASE WHEN %(is_good)s THEN clock_timestamp() END
WHERE name = %(migration)s
