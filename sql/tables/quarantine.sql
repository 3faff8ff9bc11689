-- Rendered from tables/quarantine.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE quarantine (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    digest bytea NOT NULL GENERATED ALWAYS AS (sha256(raw)) STORED,
    reason text NOT NULL,
    path text NOT NULL,
    raw bytea NOT NULL,
    source text NOT NULL,
    received_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id),
    CONSTRAINT quarantine_digest_key UNIQUE (digest),
    CHECK (octet_length(raw) <= 267386880)
);
COMMENT ON TABLE quarantine IS 'Documents that could not become rows, whole, with the reason and the place of the fault.';
COMMENT ON COLUMN quarantine.id IS 'Number of the document.';
COMMENT ON COLUMN quarantine.digest IS 'SHA-256 of the raw bytes: the same document is kept once.';
COMMENT ON COLUMN quarantine.reason IS 'What is wrong with it.';
COMMENT ON COLUMN quarantine.path IS 'JSON path of the fault; `$` is the whole document.';
COMMENT ON COLUMN quarantine.raw IS 'The document, byte for byte.';
COMMENT ON COLUMN quarantine.source IS 'Where it came from: a file, an address, or lineage_events.';
COMMENT ON COLUMN quarantine.received_at IS 'When it was put here.';
