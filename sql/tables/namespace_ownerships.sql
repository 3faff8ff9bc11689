-- Rendered from tables/namespace_ownerships.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE namespace_ownerships (
    uuid uuid NOT NULL,
    started_at timestamp NOT NULL,
    ended_at timestamp,
    namespace_uuid uuid,
    owner_uuid uuid,
    PRIMARY KEY (uuid),
    CONSTRAINT namespace_ownerships_namespace_uuid_owner_uuid_key UNIQUE (namespace_uuid, owner_uuid),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE,
    FOREIGN KEY (owner_uuid) REFERENCES owners (uuid) ON DELETE CASCADE
);
CREATE INDEX namespace_ownerships_owner_uuid_index ON namespace_ownerships (owner_uuid);
COMMENT ON TABLE namespace_ownerships IS 'Who owned a namespace, from when to when; of one owner the last time only.';
COMMENT ON COLUMN namespace_ownerships.uuid IS 'Identity of the ownership.';
COMMENT ON COLUMN namespace_ownerships.started_at IS 'When it began, in UTC.';
COMMENT ON COLUMN namespace_ownerships.ended_at IS 'When it ended, in UTC; null while it lasts.';
COMMENT ON COLUMN namespace_ownerships.namespace_uuid IS 'Namespace that is owned.';
COMMENT ON COLUMN namespace_ownerships.owner_uuid IS 'Who owns it.';
COMMENT ON INDEX namespace_ownerships_owner_uuid_index IS 'Removal of an owner.';
