-- Rendered from tables/tags.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE tags (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    description text,
    PRIMARY KEY (uuid),
    CONSTRAINT tags_name_key UNIQUE (name)
);
COMMENT ON TABLE tags IS 'Words that people put on datasets, columns and jobs.';
COMMENT ON COLUMN tags.uuid IS 'Identity of the tag.';
COMMENT ON COLUMN tags.created_at IS 'When it was made.';
COMMENT ON COLUMN tags.updated_at IS 'When it was last changed.';
COMMENT ON COLUMN tags.name IS 'The word itself.';
COMMENT ON COLUMN tags.description IS 'What it means.';
