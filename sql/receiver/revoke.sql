-- Revokes a token; whether there is one of that name.
SELECT revoke_receiver_token(%(name)s)
