-- All tokens, the newest last.
SELECT name, namespaces, expires_at, created_by, created_at, revoked_at, last_used_on, expires_at <= now() AS is_expired
FROM receiver_tokens
ORDER BY id
