-- Rendered from tables/leases.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE leases (
    name text NOT NULL,
    epoch bigint NOT NULL,
    holder text,
    presence bigint,
    expires_at timestamptz,
    PRIMARY KEY (name)
);
COMMENT ON TABLE leases IS 'Who may write now. Each new holder raises the epoch, and a write with an older epoch is refused.';
COMMENT ON COLUMN leases.name IS 'What is leased.';
COMMENT ON COLUMN leases.epoch IS 'How often it has been taken; the fence.';
COMMENT ON COLUMN leases.holder IS 'Who has it; null while nobody does.';
COMMENT ON COLUMN leases.presence IS 'Key of the advisory lock that the holder''s session keeps. Each draws one that nobody can hold beforehand.';
COMMENT ON COLUMN leases.expires_at IS 'From when another may take it; null while nobody has it.';
