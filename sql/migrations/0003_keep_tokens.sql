-- The tokens with which producers send events to the receiver.
CREATE TABLE receiver_tokens (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    name text NOT NULL,
    digest bytea NOT NULL,
    namespaces text[] NOT NULL,
    expires_at timestamptz,
    created_by text NOT NULL DEFAULT session_user,
    created_at timestamptz NOT NULL DEFAULT now(),
    revoked_at timestamptz,
    last_used_on date,
    PRIMARY KEY (id),
    CONSTRAINT receiver_tokens_name_key UNIQUE (name),
    CONSTRAINT receiver_tokens_digest_key UNIQUE (digest),
    CHECK (btrim(name) <> ''),
    CHECK (octet_length(digest) = 32),
    CHECK (cardinality(namespaces) > 0)
);
COMMENT ON TABLE receiver_tokens IS 'The tokens with which producers send events to the receiver. Of each only a digest is kept.';
COMMENT ON COLUMN receiver_tokens.id IS 'Number of the token.';
COMMENT ON COLUMN receiver_tokens.name IS 'What people call it.';
COMMENT ON COLUMN receiver_tokens.digest IS 'SHA-256 of the token, which has 256 random bits.';
COMMENT ON COLUMN receiver_tokens.namespaces IS 'Patterns of the namespaces that it may write; * is any characters.';
COMMENT ON COLUMN receiver_tokens.expires_at IS 'When it ends by itself; null is never.';
COMMENT ON COLUMN receiver_tokens.created_by IS 'Login that made it.';
COMMENT ON COLUMN receiver_tokens.created_at IS 'When.';
COMMENT ON COLUMN receiver_tokens.revoked_at IS 'When it was revoked; null while it is not.';
COMMENT ON COLUMN receiver_tokens.last_used_on IS 'The last day, in UTC, on which it was used; null before its first use.';
