-- What people have taken out of quarantine for good is kept as a count, so that nothing is lost without a trace.
CREATE TABLE discarded_documents (
    digest bytea NOT NULL,
    document bigint NOT NULL,
    reason text NOT NULL,
    path text NOT NULL,
    source text NOT NULL,
    bytes bigint NOT NULL,
    received_at timestamptz NOT NULL,
    why text NOT NULL,
    discarded_by text NOT NULL DEFAULT session_user,
    discarded_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (digest),
    CHECK (btrim(why) <> '')
);
COMMENT ON TABLE discarded_documents IS 'Documents that somebody has taken out of quarantine for good, without their text. One that comes again is not kept.';
COMMENT ON COLUMN discarded_documents.digest IS 'SHA-256 of the raw bytes.';
COMMENT ON COLUMN discarded_documents.document IS 'The number that it had in quarantine.';
COMMENT ON COLUMN discarded_documents.reason IS 'What was wrong with it.';
COMMENT ON COLUMN discarded_documents.path IS 'JSON path of the fault.';
COMMENT ON COLUMN discarded_documents.source IS 'Where it came from.';
COMMENT ON COLUMN discarded_documents.bytes IS 'How many it had.';
COMMENT ON COLUMN discarded_documents.received_at IS 'When it was put into quarantine.';
COMMENT ON COLUMN discarded_documents.why IS 'Why it is not needed.';
COMMENT ON COLUMN discarded_documents.discarded_by IS 'Login that discarded it.';
COMMENT ON COLUMN discarded_documents.discarded_at IS 'When.';
