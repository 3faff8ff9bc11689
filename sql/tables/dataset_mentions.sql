-- Rendered from tables/dataset_mentions.py by `lineage sql`: edit the declaration, not this file.
CREATE TABLE dataset_mentions (
    dataset_uuid uuid NOT NULL,
    role integer NOT NULL,
    event_order bytea NOT NULL,
    place integer NOT NULL,
    name_uuid uuid NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid,
    version_uuid uuid NOT NULL,
    own_version_uuid uuid NOT NULL,
    namespace_name varchar NOT NULL,
    dataset_name varchar NOT NULL,
    lifecycle_state varchar(63) NOT NULL,
    schema_uuid uuid NOT NULL,
    lineage_uuid uuid,
    mention_id bigint NOT NULL,
    is_current_at_once boolean NOT NULL,
    PRIMARY KEY (dataset_uuid, role, event_order, place),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_mentions_run_index ON dataset_mentions (run_uuid, role, dataset_uuid, event_order) WHERE run_uuid IS NOT NULL;
CREATE INDEX dataset_mentions_version_index ON dataset_mentions (version_uuid, schema_uuid);
CREATE INDEX dataset_mentions_job_event_index ON dataset_mentions (event_order) WHERE run_uuid IS NULL;
COMMENT ON TABLE dataset_mentions IS 'Each time that an event read, wrote or declared a dataset. Versions and what was current when follow from it.';
COMMENT ON COLUMN dataset_mentions.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_mentions.role IS '1 input, 2 output or declared.';
COMMENT ON COLUMN dataset_mentions.event_order IS 'Order of the event.';
COMMENT ON COLUMN dataset_mentions.place IS 'Its place among the event''s datasets, from 0, inputs first.';
COMMENT ON COLUMN dataset_mentions.name_uuid IS 'Key of the name that the event used.';
COMMENT ON COLUMN dataset_mentions.event_time IS 'Time of the event.';
COMMENT ON COLUMN dataset_mentions.run_uuid IS 'Run of the event; null for job and dataset events.';
COMMENT ON COLUMN dataset_mentions.version_uuid IS 'The version that an output made, or that an input read.';
COMMENT ON COLUMN dataset_mentions.own_version_uuid IS 'The version that an output made, or that an input makes if it is the first to know the dataset.';
COMMENT ON COLUMN dataset_mentions.namespace_name IS 'Namespace of the name, as spelled.';
COMMENT ON COLUMN dataset_mentions.dataset_name IS 'The name.';
COMMENT ON COLUMN dataset_mentions.lifecycle_state IS 'Lifecycle facet; empty without one.';
COMMENT ON COLUMN dataset_mentions.schema_uuid IS 'The schema that the event described.';
COMMENT ON COLUMN dataset_mentions.lineage_uuid IS 'Where the columns of an output come from; null if the event does not say.';
COMMENT ON COLUMN dataset_mentions.mention_id IS 'What facets of this mention bear, too.';
COMMENT ON COLUMN dataset_mentions.is_current_at_once IS 'Current without a COMPLETE.';
COMMENT ON INDEX dataset_mentions_run_index IS 'What a run read and wrote, up to one of its events.';
COMMENT ON INDEX dataset_mentions_version_index IS 'The schemas under which a version was written or read, each once; its mentions.';
COMMENT ON INDEX dataset_mentions_job_event_index IS 'What a job event named.';
