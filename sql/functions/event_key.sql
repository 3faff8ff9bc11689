-- The key of an event in a plan of retention: the first half of the SHA-256 of its order.
CREATE OR REPLACE FUNCTION event_key(event_order bytea) RETURNS uuid
LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE
RETURN encode(substr(sha256(event_order), 1, 16), 'hex')::uuid;
