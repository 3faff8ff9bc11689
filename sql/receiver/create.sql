-- Keeps the digest of a new token; whether its name was free.
SELECT create_receiver_token(%(name)s, %(digest)s, %(namespaces)s, %(expires_at)s)
