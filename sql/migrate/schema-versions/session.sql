-- What a worker keeps in its session: the versions of one transaction, the schemas that are new to it, and those that it
-- has met. A set of fields is known by its digest, and costs one derivation of its id, however many versions have it.
CREATE TEMP TABLE IF NOT EXISTS batch_versions (
    uuid uuid NOT NULL,
    dataset_uuid uuid,
    created_at timestamptz NOT NULL,
    was uuid,
    fields uuid[] NOT NULL,
    digest bytea NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS batch_schemas (
    digest bytea NOT NULL,
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    first_at timestamptz NOT NULL,
    fields uuid[] NOT NULL,
    columns bigint NOT NULL
) ON COMMIT DELETE ROWS;

CREATE TEMP TABLE IF NOT EXISTS known_schemas (
    digest bytea PRIMARY KEY,
    uuid uuid NOT NULL
);
