-- What a worker keeps in its session: the versions of one transaction, the schemas that are new to it, and the sets of
-- fields that it has met. Each costs one derivation of its id, however many versions have it. The hash only finds a set:
-- the fields themselves are compared.
CREATE TEMP TABLE IF NOT EXISTS batch_versions (
    uuid uuid NOT NULL,
    dataset_uuid uuid,
    created_at timestamptz NOT NULL,
    was uuid,
    becomes uuid,
    fields uuid[],
    hash bigint NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS batch_schemas (
    hash bigint NOT NULL,
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    first_at timestamptz NOT NULL,
    fields uuid[] NOT NULL,
    columns uuid[] NOT NULL,
    lost text
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS known_schemas (
    hash bigint NOT NULL,
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    fields uuid[] NOT NULL
);

CREATE INDEX IF NOT EXISTS known_schemas_hash ON pg_temp.known_schemas (hash);
