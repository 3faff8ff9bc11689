-- Tokens in use that expire within a week, or have within the last one. One that nobody used lately is nobody's matter.
SELECT format('The token %s expires at %s, and was used last on %s', name, expires_at, last_used_on)
FROM receiver_tokens
WHERE revoked_at IS NULL
  AND expires_at BETWEEN now() - interval '7 days' AND now() + interval '7 days'
  AND last_used_on >= (now() - interval '30 days')::date
ORDER BY expires_at, id
