-- Creates the store: schemas, types, tables, staging tables, and the rows that a new store has. Functions, triggers and views are
-- not here: an upgrade runs them from their own files. A migration that has landed is history, and never changes.

CREATE SCHEMA IF NOT EXISTS staging;

CREATE SCHEMA IF NOT EXISTS staging_2;

CREATE SCHEMA IF NOT EXISTS changes;

-- A dataset's namespace and name as one value: Marquez' queries compare such pairs with those of datasets_view.
CREATE TYPE dataset_name AS (namespace varchar(255), name varchar(255));

CREATE TABLE archived_event_months (
    month timestamptz NOT NULL,
    events bigint NOT NULL,
    last_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (month)
);
COMMENT ON TABLE archived_event_months IS 'Months of which retention has deleted archived raw events. Only the functions that delete them write it.';
COMMENT ON COLUMN archived_event_months.month IS 'First instant of the month of event time, in UTC.';
COMMENT ON COLUMN archived_event_months.events IS 'Raw events that were deleted, ever.';
COMMENT ON COLUMN archived_event_months.last_at IS 'When the last ones were.';

CREATE TABLE column_lineage_pairs (
    pairs_uuid uuid NOT NULL,
    output_dataset_field_uuid uuid NOT NULL,
    input_dataset_field_uuid uuid NOT NULL,
    transformation_description text,
    transformation_type varchar(255),
    created_at timestamptz,
    updated_at timestamptz,
    PRIMARY KEY (pairs_uuid, output_dataset_field_uuid, input_dataset_field_uuid)
);
CREATE INDEX column_lineage_pairs_output_index ON column_lineage_pairs (output_dataset_field_uuid);
CREATE INDEX column_lineage_pairs_input_index ON column_lineage_pairs (input_dataset_field_uuid);
COMMENT ON TABLE column_lineage_pairs IS 'Lists of pairs of columns, each once for all versions between which it holds: column_lineage shows them.';
COMMENT ON COLUMN column_lineage_pairs.pairs_uuid IS 'The list: the first half of the SHA-256 of its pairs.';
COMMENT ON COLUMN column_lineage_pairs.output_dataset_field_uuid IS 'Column that was written.';
COMMENT ON COLUMN column_lineage_pairs.input_dataset_field_uuid IS 'Column that was read.';
COMMENT ON COLUMN column_lineage_pairs.transformation_description IS 'What was done to the input, in the producer''s words.';
COMMENT ON COLUMN column_lineage_pairs.transformation_type IS 'Kind of transformation, such as IDENTITY or MASKED.';
COMMENT ON COLUMN column_lineage_pairs.created_at IS 'Time of the first event that says it, if not that of the versions.';
COMMENT ON COLUMN column_lineage_pairs.updated_at IS 'Time of the last event that says it, if not that of the versions.';
COMMENT ON INDEX column_lineage_pairs_output_index IS 'Lineage of one column, upstream.';
COMMENT ON INDEX column_lineage_pairs_input_index IS 'Lineage of one column, downstream.';

CREATE TABLE column_lineage_versions (
    output_dataset_version_uuid uuid NOT NULL,
    input_dataset_version_uuid uuid NOT NULL,
    pairs_uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    PRIMARY KEY (output_dataset_version_uuid, input_dataset_version_uuid)
);
CREATE INDEX column_lineage_versions_input_index ON column_lineage_versions (input_dataset_version_uuid);
CREATE INDEX column_lineage_versions_pairs_index ON column_lineage_versions (pairs_uuid);
COMMENT ON TABLE column_lineage_versions IS 'Which pairs of columns hold between a dataset version that was written and one that was read for it.';
COMMENT ON COLUMN column_lineage_versions.output_dataset_version_uuid IS 'The version that was written.';
COMMENT ON COLUMN column_lineage_versions.input_dataset_version_uuid IS 'The version that was read.';
COMMENT ON COLUMN column_lineage_versions.pairs_uuid IS 'The pairs, rows of `column_lineage_pairs`.';
COMMENT ON COLUMN column_lineage_versions.created_at IS 'Time of the first event that says one of them.';
COMMENT ON COLUMN column_lineage_versions.updated_at IS 'Time of the last event that says one of them.';
COMMENT ON INDEX column_lineage_versions_input_index IS 'What was made of a version that was read.';
COMMENT ON INDEX column_lineage_versions_pairs_index IS 'The versions between which pairs hold, for lineage of one column; whether there are any.';

CREATE TABLE dataset_column_lineages (
    uuid uuid NOT NULL,
    pairs jsonb NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE dataset_column_lineages IS 'Every description of where the columns of an output come from; runs that say the same share it. column_lineage follows from it.';
COMMENT ON COLUMN dataset_column_lineages.uuid IS 'Follows from the pairs.';
COMMENT ON COLUMN dataset_column_lineages.pairs IS 'A list of: name and type of the output column, key of the input dataset, name of its column, and type and description of the transformation.';

CREATE TABLE tags (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT tags_name_key UNIQUE (name)
);
COMMENT ON TABLE tags IS 'Words that events, by the tags facet, and people put on datasets, columns and jobs.';
COMMENT ON COLUMN tags.uuid IS 'Follows from the name, if an event named it first.';
COMMENT ON COLUMN tags.created_at IS 'Time of the first event that named it; if none did, when a person made it.';
COMMENT ON COLUMN tags.updated_at IS 'Time of the last event that named it, or of a person''s change after it.';
COMMENT ON COLUMN tags.name IS '`key:value` of the facet; the key alone if the value is empty or true.';
COMMENT ON COLUMN tags.description IS 'What it means.';
COMMENT ON COLUMN tags.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN tags.latest_event IS 'Order of the event that the newest came from.';

CREATE TABLE dataset_names (
    uuid uuid NOT NULL,
    namespace_name varchar NOT NULL,
    name varchar NOT NULL,
    claimed_by uuid NOT NULL,
    created_at timestamptz NOT NULL,
    namespace_uuid uuid,
    source_uuid uuid,
    source_name varchar,
    updated_at timestamptz,
    description text,
    is_deleted boolean,
    first_claim bytea,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid)
);
CREATE INDEX dataset_names_claimed_by_index ON dataset_names (claimed_by) WHERE claimed_by <> uuid;
COMMENT ON TABLE dataset_names IS 'Every name of a dataset, whose it is, and what events said under it. datasets follows from it.';
COMMENT ON COLUMN dataset_names.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN dataset_names.namespace_name IS 'The namespace, formatted.';
COMMENT ON COLUMN dataset_names.name IS 'The name.';
COMMENT ON COLUMN dataset_names.claimed_by IS 'The name in whose mention this one was first: itself, or the one that had it as a symlink.';
COMMENT ON COLUMN dataset_names.created_at IS 'Time of the first event that used it.';
COMMENT ON COLUMN dataset_names.namespace_uuid IS 'Its namespace; null if no event named the dataset so.';
COMMENT ON COLUMN dataset_names.source_uuid IS 'Where the dataset lies, by the first event that named it so.';
COMMENT ON COLUMN dataset_names.source_name IS 'Name of that source.';
COMMENT ON COLUMN dataset_names.updated_at IS 'Time of the last event that named the dataset so.';
COMMENT ON COLUMN dataset_names.description IS 'Documentation facet of that event; null if it had none.';
COMMENT ON COLUMN dataset_names.is_deleted IS 'Whether that event dropped it.';
COMMENT ON COLUMN dataset_names.first_claim IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_names.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_names.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_names_claimed_by_index IS 'Names that follow another when it turns out to be someone else''s.';

CREATE TABLE owners (
    uuid uuid NOT NULL,
    created_at timestamp NOT NULL,
    name varchar NOT NULL,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT owners_name_key UNIQUE (name)
);
COMMENT ON TABLE owners IS 'People and teams that own datasets and jobs, as events say, or namespaces, as operators say.';
COMMENT ON COLUMN owners.uuid IS 'Follows from the name.';
COMMENT ON COLUMN owners.created_at IS 'Time of the first event that named the owner, in UTC; if none did, when a person did.';
COMMENT ON COLUMN owners.name IS 'Name of the person or team, of any length.';
COMMENT ON COLUMN owners.first_event IS 'Order of the event that the earliest came from.';

CREATE TABLE dataset_schemas (
    uuid uuid NOT NULL,
    name_uuid uuid NOT NULL,
    own_name_uuid uuid NOT NULL,
    schema_version_uuid uuid NOT NULL,
    fields jsonb,
    keyed_fields jsonb NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid)
);
CREATE INDEX dataset_schemas_own_name_index ON dataset_schemas (own_name_uuid);
CREATE INDEX dataset_schemas_schema_version_index ON dataset_schemas (schema_version_uuid);
COMMENT ON TABLE dataset_schemas IS 'Every schema that an event described. Fields, schema versions and their mappings follow from it.';
COMMENT ON COLUMN dataset_schemas.uuid IS 'Follows from the name and the list of fields as it stands.';
COMMENT ON COLUMN dataset_schemas.name_uuid IS 'Name under which it describes its dataset.';
COMMENT ON COLUMN dataset_schemas.own_name_uuid IS 'The own name of the dataset that it describes: the same, unless that name is a symlink.';
COMMENT ON COLUMN dataset_schemas.schema_version_uuid IS 'Schema version with the same names and types.';
COMMENT ON COLUMN dataset_schemas.fields IS 'The fields as dataset_versions.fields has them; null without a list.';
COMMENT ON COLUMN dataset_schemas.keyed_fields IS 'The same fields, each with the key that follows from the name.';
COMMENT ON COLUMN dataset_schemas.created_at IS 'Time of the first event that described it.';
COMMENT ON COLUMN dataset_schemas.updated_at IS 'Time of the last event that described it.';
COMMENT ON COLUMN dataset_schemas.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_schemas.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_schemas_own_name_index IS 'All schemas of a dataset.';
COMMENT ON INDEX dataset_schemas_schema_version_index IS 'Fields of a schema version.';

CREATE TABLE namespaces (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    description text,
    current_owner_name varchar DEFAULT 'anonymous',
    is_hidden boolean DEFAULT false,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT namespaces_name_key UNIQUE (name)
);
COMMENT ON TABLE namespaces IS 'Every namespace that an event named.';
COMMENT ON COLUMN namespaces.uuid IS 'Follows from the name.';
COMMENT ON COLUMN namespaces.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN namespaces.updated_at IS 'As created_at: later events change nothing.';
COMMENT ON COLUMN namespaces.name IS 'Its name; a job''s and a dataset''s is formatted.';
COMMENT ON COLUMN namespaces.description IS 'In a person''s words.';
COMMENT ON COLUMN namespaces.current_owner_name IS 'Who owns it, by `lineage namespace own`.';
COMMENT ON COLUMN namespaces.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN namespaces.first_event IS 'Order of the event that the earliest came from.';

CREATE TABLE sources (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    name varchar NOT NULL,
    connection_url varchar NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT sources_name_key UNIQUE (name)
);
COMMENT ON TABLE sources IS 'Where datasets lie: the dataSource facets, and `default` for datasets without one.';
COMMENT ON COLUMN sources.uuid IS 'Follows from the name.';
COMMENT ON COLUMN sources.type IS 'Always POSTGRESQL, as Marquez has it.';
COMMENT ON COLUMN sources.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN sources.updated_at IS 'Time of the last event that named it.';
COMMENT ON COLUMN sources.name IS 'Its name.';
COMMENT ON COLUMN sources.connection_url IS 'Its address; empty if no event gave one.';
COMMENT ON COLUMN sources.description IS 'In a person''s words.';
COMMENT ON COLUMN sources.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN sources.latest_event IS 'Order of the event that the newest came from.';

CREATE TABLE event_ledger (
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid,
    job_uuid uuid,
    is_complete boolean NOT NULL,
    makes_job_version boolean NOT NULL,
    location text,
    lineage_event_type varchar(64),
    run_facets_uuid uuid,
    job_facets_uuid uuid,
    job_version_uuid uuid,
    is_purged boolean NOT NULL DEFAULT false,
    PRIMARY KEY (event_order)
);
CREATE INDEX event_ledger_run_index ON event_ledger (run_uuid, event_order) WHERE run_uuid IS NOT NULL;
CREATE INDEX event_ledger_job_index ON event_ledger (job_uuid, job_version_uuid, event_order) WHERE job_version_uuid IS NOT NULL;
CREATE INDEX event_ledger_job_version_index ON event_ledger (job_version_uuid, event_order) WHERE job_version_uuid IS NOT NULL;
CREATE INDEX event_ledger_purged_index ON event_ledger (event_order) WHERE is_purged;
CREATE INDEX event_ledger_job_event_index ON event_ledger (job_version_uuid) WHERE run_uuid IS NULL AND job_version_uuid IS NOT NULL;
COMMENT ON TABLE event_ledger IS 'Every event that is in the tables. An event that it holds is not counted again.';
COMMENT ON COLUMN event_ledger.event_order IS 'Order of the event, with its digest at the end.';
COMMENT ON COLUMN event_ledger.event_time IS 'Time of the event.';
COMMENT ON COLUMN event_ledger.run_uuid IS 'Its run; null for job and dataset events.';
COMMENT ON COLUMN event_ledger.job_uuid IS 'Its job; null for dataset events.';
COMMENT ON COLUMN event_ledger.is_complete IS 'Makes the outputs of its run current.';
COMMENT ON COLUMN event_ledger.makes_job_version IS 'Makes a version of its job.';
COMMENT ON COLUMN event_ledger.location IS 'Where the job''s source code lies, by this event.';
COMMENT ON COLUMN event_ledger.lineage_event_type IS 'Type of the event; null for job and dataset events.';
COMMENT ON COLUMN event_ledger.run_facets_uuid IS 'The set of its run''s facets, a row of `facet_sets`; null without any.';
COMMENT ON COLUMN event_ledger.job_facets_uuid IS 'The set of its job''s facets, a row of `facet_sets`; null without any.';
COMMENT ON COLUMN event_ledger.job_version_uuid IS 'The version that it made.';
COMMENT ON COLUMN event_ledger.is_purged IS 'Whether retention has deleted its run or event, and only what others need of it is left.';
COMMENT ON INDEX event_ledger_run_index IS 'Events of a run: its facets, its endings.';
COMMENT ON INDEX event_ledger_job_index IS 'The versions of a job, each once, with their first and last events.';
COMMENT ON INDEX event_ledger_job_version_index IS 'First and last event of a job version.';
COMMENT ON INDEX event_ledger_purged_index IS 'What purged runs have left.';
COMMENT ON INDEX event_ledger_job_event_index IS 'Job events that made a version, for its facets: the events of runs, which are many, are not among them.';

CREATE TABLE facet_migration_lock (
    created_at timestamptz,
    run_uuid uuid
);
COMMENT ON TABLE facet_migration_lock IS 'The events whose facets Marquez'' migration 57 has copied. Marquez writes it and never reads it.';
COMMENT ON COLUMN facet_migration_lock.created_at IS 'When the event arrived.';
COMMENT ON COLUMN facet_migration_lock.run_uuid IS 'Run that the event belongs to; null marks a store that was empty.';

CREATE TABLE facet_sets (
    uuid uuid NOT NULL,
    facets uuid[] NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE facet_sets IS 'Which facets one mention of a run, a job or a dataset has; mentions with the same facets share the row.';
COMMENT ON COLUMN facet_sets.uuid IS 'The first half of the SHA-256 of its facets'' ids.';
COMMENT ON COLUMN facet_sets.facets IS 'The rows of `facets`, in the order of the document.';

CREATE TABLE facets (
    uuid uuid NOT NULL,
    name varchar(255) NOT NULL,
    facet jsonb NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE facets IS 'The content of every facet, once however often events say it. Sets name it, and runs that keep it once.';
COMMENT ON COLUMN facets.uuid IS 'The first half of the SHA-256 of the facet''s text.';
COMMENT ON COLUMN facets.name IS 'The facet''s key.';
COMMENT ON COLUMN facets.facet IS 'An object with that key and the facet as it came.';

CREATE TABLE flyway_schema_history (
    installed_rank integer NOT NULL,
    version varchar(50),
    description varchar(200) NOT NULL,
    type varchar(20) NOT NULL,
    script varchar(1000) NOT NULL,
    checksum integer,
    installed_by varchar(100) NOT NULL,
    installed_on timestamp NOT NULL DEFAULT now(),
    execution_time integer NOT NULL,
    success boolean NOT NULL,
    PRIMARY KEY (installed_rank)
);
COMMENT ON TABLE flyway_schema_history IS 'The migrations of Marquez 0.51.1, as its server would have run them: it starts on a database that has them.';
COMMENT ON COLUMN flyway_schema_history.installed_rank IS 'Place in the order in which they run.';
COMMENT ON COLUMN flyway_schema_history.version IS 'Version of the migration; null for one that is repeated.';
COMMENT ON COLUMN flyway_schema_history.description IS 'What it does.';
COMMENT ON COLUMN flyway_schema_history.type IS 'SQL or JDBC.';
COMMENT ON COLUMN flyway_schema_history.script IS 'Its file or class.';
COMMENT ON COLUMN flyway_schema_history.checksum IS 'Of the file, by which Marquez knows it; null for a class.';
COMMENT ON COLUMN flyway_schema_history.installed_by IS 'Who made the store.';
COMMENT ON COLUMN flyway_schema_history.installed_on IS 'When the store was made.';
COMMENT ON COLUMN flyway_schema_history.execution_time IS 'In milliseconds; always 0.';
COMMENT ON COLUMN flyway_schema_history.success IS 'Always true.';

CREATE TABLE group_roles (
    purpose text NOT NULL,
    name text NOT NULL,
    PRIMARY KEY (purpose)
);
COMMENT ON TABLE group_roles IS 'The group roles of this store. Roles are of the whole cluster, so two stores in it need names of their own.';
COMMENT ON COLUMN group_roles.purpose IS 'What it is for: ingest, jobs, marquez, operator or reader.';
COMMENT ON COLUMN group_roles.name IS 'The role.';

CREATE TABLE hold_queries (
    name text NOT NULL,
    query text NOT NULL,
    stored_by text NOT NULL DEFAULT session_user,
    stored_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name)
);
COMMENT ON TABLE hold_queries IS 'Queries whose one value, true or above 0, holds a long migration. Whoever steers one chooses among these.';
COMMENT ON COLUMN hold_queries.name IS 'Its name, by which a migration''s setting refers to it.';
COMMENT ON COLUMN hold_queries.query IS 'One SELECT, run as a role that only reads.';
COMMENT ON COLUMN hold_queries.stored_by IS 'Login that stored it.';
COMMENT ON COLUMN hold_queries.stored_at IS 'When it was stored.';

CREATE TABLE identity_map (
    entity text NOT NULL,
    key_uuid uuid NOT NULL,
    uuid uuid NOT NULL,
    PRIMARY KEY (entity, key_uuid)
);
CREATE INDEX identity_map_uuid_index ON identity_map (entity, uuid);
COMMENT ON TABLE identity_map IS 'The uuid in use where it is not the one that the key derives: aliases, renamed jobs, an adopted database.';
COMMENT ON COLUMN identity_map.entity IS 'Table whose rows are meant.';
COMMENT ON COLUMN identity_map.key_uuid IS 'Uuid that the natural key derives.';
COMMENT ON COLUMN identity_map.uuid IS 'Uuid in use.';
COMMENT ON INDEX identity_map_uuid_index IS 'All keys of a row.';

CREATE TABLE jobs_fqn (
    uuid uuid NOT NULL,
    namespace_uuid uuid NOT NULL,
    namespace_name varchar NOT NULL,
    parent_job_name varchar,
    aliases varchar[],
    job_fqn varchar NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE jobs_fqn IS 'Full names of jobs. Marquez keeps the table, and has not used it since its migration 61.';
COMMENT ON COLUMN jobs_fqn.uuid IS 'The job.';
COMMENT ON COLUMN jobs_fqn.namespace_uuid IS 'Its namespace.';
COMMENT ON COLUMN jobs_fqn.namespace_name IS 'Name of its namespace.';
COMMENT ON COLUMN jobs_fqn.parent_job_name IS 'Name of the job it is part of.';
COMMENT ON COLUMN jobs_fqn.aliases IS 'Other full names that mean the same job.';
COMMENT ON COLUMN jobs_fqn.job_fqn IS 'Its full name.';

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

CREATE SEQUENCE lineage_events_arrival_seq;
CREATE TABLE lineage_events (
    event_time timestamptz NOT NULL,
    event jsonb NOT NULL,
    event_type text,
    job_name text,
    job_namespace text,
    producer text,
    run_uuid uuid,
    created_at timestamptz DEFAULT now(),
    _event_type varchar(64) DEFAULT 'RUN_EVENT',
    arrived_xid bigint NOT NULL,
    arrival_seq bigint NOT NULL,
    event_bytes integer GENERATED ALWAYS AS (octet_length(event::text)) STORED,
    is_ahead boolean GENERATED ALWAYS AS (coalesce(event_time - created_at > interval '1 day', false)) STORED,
    is_moved boolean NOT NULL DEFAULT false,
    CHECK (event_bytes <= 267386880),
    CHECK (event_time BETWEEN '0001-01-01 00:00:00+00' AND '9999-12-31 23:59:59.999999+00')
) PARTITION BY LIST (is_moved);
CREATE TABLE lineage_events_arrived PARTITION OF lineage_events FOR VALUES IN (false) PARTITION BY RANGE (event_time);
CREATE TABLE lineage_events_default PARTITION OF lineage_events_arrived DEFAULT;
CREATE TABLE lineage_events_moved PARTITION OF lineage_events FOR VALUES IN (true) PARTITION BY RANGE (event_time);
CREATE TABLE lineage_events_moved_before_1970 PARTITION OF lineage_events_moved FOR VALUES FROM (MINVALUE) TO ('1970-01-01 00:00:00+00');
CREATE TABLE lineage_events_moved_from_2100 PARTITION OF lineage_events_moved FOR VALUES FROM ('2100-01-01 00:00:00+00') TO (MAXVALUE);
ALTER SEQUENCE lineage_events_arrival_seq OWNED BY lineage_events.arrival_seq;
CREATE INDEX lineage_events_arrival_index ON lineage_events (arrived_xid, arrival_seq) INCLUDE (event_bytes);
CREATE INDEX lineage_events_event_time ON lineage_events (event_time DESC);
CREATE INDEX lineage_events_run_id_index ON lineage_events (run_uuid);
COMMENT ON TABLE lineage_events IS 'Every OpenLineage event as it arrived, a partition for each month of event time.';
COMMENT ON COLUMN lineage_events.event_time IS 'When the producer says that it happened.';
COMMENT ON COLUMN lineage_events.event IS 'The event itself.';
COMMENT ON COLUMN lineage_events.event_type IS 'START, COMPLETE and so on; empty or null where the event has none.';
COMMENT ON COLUMN lineage_events.job_name IS 'Job of the event, as the producer spells it.';
COMMENT ON COLUMN lineage_events.job_namespace IS 'Namespace of that job, as the producer spells it.';
COMMENT ON COLUMN lineage_events.producer IS 'Address of the code that made the event.';
COMMENT ON COLUMN lineage_events.run_uuid IS 'Run of the event; null for events about a job or a dataset alone.';
COMMENT ON COLUMN lineage_events.created_at IS 'When it arrived here.';
COMMENT ON COLUMN lineage_events._event_type IS 'RUN_EVENT, JOB_EVENT or DATASET_EVENT.';
COMMENT ON COLUMN lineage_events.arrived_xid IS 'Transaction that brought it; with a snapshot it says whether a run could see the event.';
COMMENT ON COLUMN lineage_events.arrival_seq IS 'Place among the events of the same transaction; a slice may end between any two.';
COMMENT ON COLUMN lineage_events.event_bytes IS 'Size of the event''s text, by which slices are cut.';
COMMENT ON COLUMN lineage_events.is_ahead IS 'Its time was more than a day ahead of its arrival, so it never is the newest.';
COMMENT ON COLUMN lineage_events.is_moved IS 'It stood in the default partition, and was moved to the month that it belongs to.';
COMMENT ON INDEX lineage_events_arrival_index IS 'A scheduled run: what has arrived since the watermark, with sizes.';
COMMENT ON INDEX lineage_events_event_time IS 'Events of an interval: a backfill run, the API''s list.';
COMMENT ON INDEX lineage_events_run_id_index IS 'All events of one run: facets read from the raw event.';

CREATE TABLE migrations (
    name text NOT NULL,
    state text NOT NULL,
    settings jsonb NOT NULL,
    total bigint,
    reads_new boolean NOT NULL DEFAULT false,
    planned_at timestamptz NOT NULL DEFAULT now(),
    started_at timestamptz,
    finished_at timestamptz,
    verified_at timestamptz,
    verification jsonb,
    PRIMARY KEY (name),
    CHECK (state IN ('planned', 'running', 'paused', 'cancelled', 'finished', 'finalized', 'cut over', 'dropped'))
);
COMMENT ON TABLE migrations IS 'Long migrations, which move rows in ranges while the store is in use: their state, settings and results.';
COMMENT ON COLUMN migrations.name IS 'Its name on the command line.';
COMMENT ON COLUMN migrations.state IS 'One of planned, running, paused, cancelled, finished, finalized, cut over, dropped.';
COMMENT ON COLUMN migrations.settings IS 'What an operator has set; workers read it all the time.';
COMMENT ON COLUMN migrations.total IS 'Rows to look at, counted in the order of keys when it was planned.';
COMMENT ON COLUMN migrations.reads_new IS 'Whether readers read what it made. The flag of the cut-over.';
COMMENT ON COLUMN migrations.planned_at IS 'When it was planned.';
COMMENT ON COLUMN migrations.started_at IS 'When the first worker began.';
COMMENT ON COLUMN migrations.finished_at IS 'When the last range was done.';
COMMENT ON COLUMN migrations.verified_at IS 'When readers were last seen to see the same, old and new.';
COMMENT ON COLUMN migrations.verification IS 'Counts and checksums of the last verification.';

CREATE TABLE parent_mentions (
    parent_run_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid NOT NULL,
    job_uuid uuid NOT NULL,
    named_job_uuid uuid NOT NULL,
    local_job_uuid uuid NOT NULL,
    conflicting_run_uuid uuid NOT NULL,
    parent_job_name text NOT NULL,
    external_id text NOT NULL,
    is_streaming boolean NOT NULL,
    location text,
    says integer NOT NULL,
    state varchar(64),
    state_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    parent_job_uuid uuid,
    made_run_uuid uuid,
    is_purged boolean NOT NULL DEFAULT false,
    PRIMARY KEY (parent_run_uuid, event_order)
);
CREATE INDEX parent_mentions_made_run_index ON parent_mentions (made_run_uuid, says, event_order) WHERE made_run_uuid IS NOT NULL;
CREATE INDEX parent_mentions_local_job_index ON parent_mentions (local_job_uuid, event_order) WHERE made_run_uuid IS NOT NULL;
COMMENT ON TABLE parent_mentions IS 'Each event that names the parent of its run, with what a parent that does not report is made of.';
COMMENT ON COLUMN parent_mentions.parent_run_uuid IS 'The run that it names.';
COMMENT ON COLUMN parent_mentions.event_order IS 'Order of the event, where the earliest wins.';
COMMENT ON COLUMN parent_mentions.event_time IS 'Time of the event.';
COMMENT ON COLUMN parent_mentions.run_uuid IS 'Run of the event, the child.';
COMMENT ON COLUMN parent_mentions.job_uuid IS 'Job of the event.';
COMMENT ON COLUMN parent_mentions.named_job_uuid IS 'Job of the parent, as the facet says it.';
COMMENT ON COLUMN parent_mentions.local_job_uuid IS 'That name in the child''s namespace.';
COMMENT ON COLUMN parent_mentions.conflicting_run_uuid IS 'Stands for a run that is another job''s.';
COMMENT ON COLUMN parent_mentions.parent_job_name IS 'Name of the parent''s job.';
COMMENT ON COLUMN parent_mentions.external_id IS 'Id of the parent run as spelled.';
COMMENT ON COLUMN parent_mentions.is_streaming IS 'Whether the child''s job streams.';
COMMENT ON COLUMN parent_mentions.location IS 'Where the source code of the child''s job lies.';
COMMENT ON COLUMN parent_mentions.says IS '0 nothing of the run''s state, 1 that it runs, 2 that it has ended; 3 more if the event is ahead.';
COMMENT ON COLUMN parent_mentions.state IS 'State that the event brings its run to.';
COMMENT ON COLUMN parent_mentions.state_uuid IS 'That state, when the parent takes it.';
COMMENT ON COLUMN parent_mentions.nominal_start_time IS 'Start of the child''s interval, in UTC.';
COMMENT ON COLUMN parent_mentions.nominal_end_time IS 'End of that interval, in UTC.';
COMMENT ON COLUMN parent_mentions.parent_job_uuid IS 'Job that starts the child''s job, by this event.';
COMMENT ON COLUMN parent_mentions.made_run_uuid IS 'Run that nobody reports and that this event says something of.';
COMMENT ON COLUMN parent_mentions.is_purged IS 'Whether retention has deleted its run or event, and only what others need of it is left.';
COMMENT ON INDEX parent_mentions_made_run_index IS 'First and last event that says something of a run that nobody reports.';
COMMENT ON INDEX parent_mentions_local_job_index IS 'First and last event that says something of a job that nobody reports.';

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

CREATE TABLE refreshed_views (
    name text NOT NULL,
    refreshed_at timestamptz NOT NULL,
    PRIMARY KEY (name)
);
COMMENT ON TABLE refreshed_views IS 'When each materialized view was refreshed. Normalization refreshes those that are older than an hour.';
COMMENT ON COLUMN refreshed_views.name IS 'The view.';
COMMENT ON COLUMN refreshed_views.refreshed_at IS 'When it was refreshed.';

CREATE TABLE removed_stream_files (
    path text NOT NULL,
    stream text NOT NULL,
    bytes bigint,
    removed_at timestamptz NOT NULL DEFAULT now(),
    deleted_at timestamptz,
    PRIMARY KEY (path)
);
CREATE INDEX removed_stream_files_stream_index ON removed_stream_files (stream);
COMMENT ON TABLE removed_stream_files IS 'Files that belong to no changelog stream any more, or never did. They are deleted after a grace time, as a reader may have their names.';
COMMENT ON COLUMN removed_stream_files.path IS 'The file, below the root of all streams.';
COMMENT ON COLUMN removed_stream_files.stream IS 'The stream in whose folder it is.';
COMMENT ON COLUMN removed_stream_files.bytes IS 'Its size; null for a file that never belonged to the stream.';
COMMENT ON COLUMN removed_stream_files.removed_at IS 'Since when it is here.';
COMMENT ON COLUMN removed_stream_files.deleted_at IS 'From then on the file may be gone; null before.';
COMMENT ON INDEX removed_stream_files_stream_index IS 'Compaction looks for those of a stream.';

CREATE TABLE retention_holds (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    namespace_pattern text NOT NULL,
    dataset text,
    job text,
    run uuid,
    events_since timestamptz,
    events_until timestamptz,
    manifest text,
    why text NOT NULL,
    until timestamptz,
    placed_by text NOT NULL DEFAULT session_user,
    placed_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id),
    CHECK (num_nonnulls(dataset, job, run, manifest) <= 1),
    CHECK (btrim(why) <> ''),
    CHECK (btrim(namespace_pattern) <> ''),
    CHECK (isfinite(until)),
    CHECK (isfinite(events_since) AND isfinite(events_until)),
    CHECK (events_since < events_until)
);
COMMENT ON TABLE retention_holds IS 'Legal holds: what retention must not delete, however old. A row is never changed; retention_hold_releases ends a hold.';
COMMENT ON COLUMN retention_holds.id IS 'Number of the hold.';
COMMENT ON COLUMN retention_holds.namespace_pattern IS 'The namespaces of what is held; * is any characters.';
COMMENT ON COLUMN retention_holds.dataset IS 'The one dataset that is held; null if not only one is.';
COMMENT ON COLUMN retention_holds.job IS 'The one job that is held; null if not only one is.';
COMMENT ON COLUMN retention_holds.run IS 'The one run that is held; null if not only one is.';
COMMENT ON COLUMN retention_holds.events_since IS 'Only what happened at that time or later; null is always.';
COMMENT ON COLUMN retention_holds.events_until IS 'Only what happened before that time; null is always.';
COMMENT ON COLUMN retention_holds.manifest IS 'The archive whose restored events alone are held; null if others are.';
COMMENT ON COLUMN retention_holds.why IS 'Why it is held.';
COMMENT ON COLUMN retention_holds.until IS 'When the hold ends by itself; null is never.';
COMMENT ON COLUMN retention_holds.placed_by IS 'Login that placed it.';
COMMENT ON COLUMN retention_holds.placed_at IS 'When.';

CREATE TABLE retention_horizons (
    kind text NOT NULL,
    namespace text NOT NULL,
    before timestamptz NOT NULL,
    PRIMARY KEY (kind, namespace),
    CHECK (kind IN ('runs', 'versions'))
);
COMMENT ON TABLE retention_horizons IS 'Up to which time retention has deleted. An event of before that the ledger does not hold is expired: it is counted, and never merged.';
COMMENT ON COLUMN retention_horizons.kind IS 'What was deleted: runs, or versions of datasets.';
COMMENT ON COLUMN retention_horizons.namespace IS 'The namespace, formatted: of the job, or of the dataset.';
COMMENT ON COLUMN retention_horizons.before IS 'The time. It never moves back.';

CREATE TABLE retention_plans (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    as_of timestamptz NOT NULL,
    cutoffs jsonb NOT NULL,
    written jsonb NOT NULL,
    planned_by text NOT NULL DEFAULT session_user,
    planned_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id)
);
COMMENT ON TABLE retention_plans IS 'Plans of retention: the moment and the cut-offs that hold for whoever carries one out, whatever the policies say by then.';
COMMENT ON COLUMN retention_plans.id IS 'Number of the plan.';
COMMENT ON COLUMN retention_plans.as_of IS 'The time from which ages count.';
COMMENT ON COLUMN retention_plans.cutoffs IS 'Before when what goes, of each kind and namespace.';
COMMENT ON COLUMN retention_plans.written IS 'The plan as it is written for whoever approves it.';
COMMENT ON COLUMN retention_plans.planned_by IS 'Login that planned it.';
COMMENT ON COLUMN retention_plans.planned_at IS 'When.';

CREATE TABLE retention_policies (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    kind text NOT NULL,
    namespace_pattern text NOT NULL,
    older_than interval,
    keep_last integer,
    is_removed boolean NOT NULL DEFAULT false,
    set_by text NOT NULL DEFAULT session_user,
    set_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (id),
    CHECK (kind IN ('raw-events', 'runs', 'versions', 'entities', 'quarantine', 'contents', '*')),
    CHECK (btrim(namespace_pattern) <> ''),
    CHECK (namespace_pattern = '*' OR kind NOT IN ('quarantine', 'contents')),
    CHECK (older_than > interval '0' AND older_than <= interval '36500 days'),
    CHECK (date_part('year', older_than) = 0 AND date_part('month', older_than) = 0),
    CHECK (keep_last >= 0),
    CHECK (keep_last IS NULL OR kind IN ('runs', 'versions', '*'))
);
CREATE INDEX retention_policies_pattern_index ON retention_policies (kind, namespace_pattern, id);
COMMENT ON TABLE retention_policies IS 'Every policy of retention that was ever set or removed. The last of a kind and a pattern is in force.';
COMMENT ON COLUMN retention_policies.id IS 'In order.';
COMMENT ON COLUMN retention_policies.kind IS 'What it is about; * is all but jobs and datasets.';
COMMENT ON COLUMN retention_policies.namespace_pattern IS 'The namespaces that it is about; * is any characters.';
COMMENT ON COLUMN retention_policies.older_than IS 'Age from which things go; null where they never do.';
COMMENT ON COLUMN retention_policies.keep_last IS 'So many of each job or dataset stay, however old; null is none.';
COMMENT ON COLUMN retention_policies.is_removed IS 'Whether it is in force no more.';
COMMENT ON COLUMN retention_policies.set_by IS 'Login that set it.';
COMMENT ON COLUMN retention_policies.set_at IS 'When.';
COMMENT ON INDEX retention_policies_pattern_index IS 'The last of a kind and a pattern.';

CREATE TABLE retention_purged_runs (
    uuid uuid NOT NULL,
    purged_at timestamptz NOT NULL,
    PRIMARY KEY (uuid)
);
COMMENT ON TABLE retention_purged_runs IS 'Runs that retention has deleted lately. One that speaks again begins anew, and is named in the report.';
COMMENT ON COLUMN retention_purged_runs.uuid IS 'The run.';
COMMENT ON COLUMN retention_purged_runs.purged_at IS 'When it was deleted.';

CREATE TABLE retention_reports (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    as_of timestamptz NOT NULL,
    plan jsonb NOT NULL,
    archive text,
    deleted jsonb NOT NULL,
    stayed jsonb,
    applied_by text NOT NULL DEFAULT session_user,
    started_at timestamptz NOT NULL DEFAULT now(),
    finished_at timestamptz,
    PRIMARY KEY (id)
);
COMMENT ON TABLE retention_reports IS 'What each application of retention planned, and what it deleted.';
COMMENT ON COLUMN retention_reports.id IS 'In order.';
COMMENT ON COLUMN retention_reports.as_of IS 'The time from which ages count.';
COMMENT ON COLUMN retention_reports.plan IS 'What was to go, and what stays, by reason.';
COMMENT ON COLUMN retention_reports.archive IS 'URL of the archive of raw events, without a login; null without one.';
COMMENT ON COLUMN retention_reports.deleted IS 'Rows that have gone, for each table.';
COMMENT ON COLUMN retention_reports.stayed IS 'What was planned to go and stayed, by reason; null until the end.';
COMMENT ON COLUMN retention_reports.applied_by IS 'Login that applied it.';
COMMENT ON COLUMN retention_reports.started_at IS 'When it began.';
COMMENT ON COLUMN retention_reports.finished_at IS 'When nothing was left to delete; null before.';

CREATE TABLE run_args (
    uuid uuid NOT NULL,
    created_at timestamp NOT NULL,
    args text NOT NULL,
    checksum varchar(255) NOT NULL,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT run_args_checksum_key UNIQUE (checksum)
);
COMMENT ON TABLE run_args IS 'The distinct arguments of runs: nominal times and the parent run.';
COMMENT ON COLUMN run_args.uuid IS 'Follows from the checksum.';
COMMENT ON COLUMN run_args.created_at IS 'Time of the first event with them, in UTC.';
COMMENT ON COLUMN run_args.args IS 'The arguments as JSON, by that event: names made for it may share a checksum.';
COMMENT ON COLUMN run_args.checksum IS 'SHA-256 of the arguments, in hexadecimal digits.';
COMMENT ON COLUMN run_args.first_event IS 'Order of the event that the earliest came from.';

CREATE SEQUENCE staged_parts_id_seq;
CREATE TABLE staged_parts (
    part_id bigint NOT NULL DEFAULT nextval('staged_parts_id_seq'),
    epoch bigint NOT NULL,
    slice bigint NOT NULL,
    partition integer NOT NULL,
    rows jsonb NOT NULL,
    staged_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (part_id)
);
ALTER SEQUENCE staged_parts_id_seq OWNED BY staged_parts.part_id;
COMMENT ON TABLE staged_parts IS 'What each task has staged. A crash empties the staging tables but not this manifest, so the loss is seen.';
COMMENT ON COLUMN staged_parts.part_id IS 'The attempt of one task; its staged rows bear it.';
COMMENT ON COLUMN staged_parts.epoch IS 'Epoch of the lease under which it was staged.';
COMMENT ON COLUMN staged_parts.slice IS 'Slice that it is a part of.';
COMMENT ON COLUMN staged_parts.partition IS 'Task of that slice.';
COMMENT ON COLUMN staged_parts.rows IS 'Number of rows staged for each table.';
COMMENT ON COLUMN staged_parts.staged_at IS 'When it was staged.';

CREATE TABLE stream_checkpoints (
    stream text NOT NULL,
    next_offset bigint NOT NULL,
    schema_id integer NOT NULL,
    path text NOT NULL,
    rows bigint NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    is_ordered boolean NOT NULL,
    reordered_by integer,
    epoch bigint NOT NULL,
    made_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream),
    CONSTRAINT stream_checkpoints_path_key UNIQUE (path)
);
COMMENT ON TABLE stream_checkpoints IS 'The last checkpoint of each changelog stream: a file with the rows that are there at an offset.';
COMMENT ON COLUMN stream_checkpoints.stream IS 'The stream.';
COMMENT ON COLUMN stream_checkpoints.next_offset IS 'Offset of the first record that is not in it.';
COMMENT ON COLUMN stream_checkpoints.schema_id IS 'Its stream schema.';
COMMENT ON COLUMN stream_checkpoints.path IS 'The file, below the root of all streams.';
COMMENT ON COLUMN stream_checkpoints.rows IS 'How many rows are there.';
COMMENT ON COLUMN stream_checkpoints.bytes IS 'Size of the file.';
COMMENT ON COLUMN stream_checkpoints.sha256 IS 'Digest of the file.';
COMMENT ON COLUMN stream_checkpoints.is_ordered IS 'Whether its rows are in the order of the key; without a key, in that of all columns. Lists have no order.';
COMMENT ON COLUMN stream_checkpoints.reordered_by IS 'The last stream schema by which rows were no longer in that order; null if there never was one.';
COMMENT ON COLUMN stream_checkpoints.epoch IS 'Epoch of the lease under which it was made.';
COMMENT ON COLUMN stream_checkpoints.made_at IS 'When.';

CREATE TABLE stream_heads (
    stream text NOT NULL,
    started_xid bigint NOT NULL,
    waits_for bigint NOT NULL,
    published pg_snapshot,
    system_identifier bigint NOT NULL,
    next_offset bigint NOT NULL DEFAULT 0,
    schema_id integer NOT NULL,
    system_time timestamptz,
    epoch bigint NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream)
);
COMMENT ON TABLE stream_heads IS 'How far each changelog stream is published. It stays when a stream is stopped.';
COMMENT ON COLUMN stream_heads.stream IS 'The stream.';
COMMENT ON COLUMN stream_heads.started_xid IS 'The start that `published` belongs to.';
COMMENT ON COLUMN stream_heads.waits_for IS 'Transactions below this number may have missed that start. What is there is read when all have ended.';
COMMENT ON COLUMN stream_heads.published IS 'All changes that it sees are published; null before the first time.';
COMMENT ON COLUMN stream_heads.system_identifier IS 'Cluster that the snapshot was taken in; in any other it means nothing.';
COMMENT ON COLUMN stream_heads.next_offset IS 'Offset of the next record.';
COMMENT ON COLUMN stream_heads.schema_id IS 'Its stream schema, a row of `stream_schemas`.';
COMMENT ON COLUMN stream_heads.system_time IS 'System time of the last record; null before the first one.';
COMMENT ON COLUMN stream_heads.epoch IS 'Epoch of the lease under which it was moved.';
COMMENT ON COLUMN stream_heads.updated_at IS 'When it was last moved.';

CREATE TABLE stream_parts (
    stream text NOT NULL,
    start_offset bigint NOT NULL,
    end_offset bigint NOT NULL,
    schema_id integer NOT NULL,
    path text NOT NULL,
    bytes bigint NOT NULL,
    sha256 bytea NOT NULL,
    logical_hash bytea NOT NULL,
    commit_ends bigint[] NOT NULL,
    epoch bigint NOT NULL,
    published_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, start_offset),
    CONSTRAINT stream_parts_path_key UNIQUE (path),
    CHECK (end_offset >= start_offset)
);
COMMENT ON TABLE stream_parts IS 'The files that changelog streams consist of. Together they have every offset once.';
COMMENT ON COLUMN stream_parts.stream IS 'The stream.';
COMMENT ON COLUMN stream_parts.start_offset IS 'Offset of its first record.';
COMMENT ON COLUMN stream_parts.end_offset IS 'Offset of its last record.';
COMMENT ON COLUMN stream_parts.schema_id IS 'Its stream schema.';
COMMENT ON COLUMN stream_parts.path IS 'The file, below the root of all streams.';
COMMENT ON COLUMN stream_parts.bytes IS 'Size of the file.';
COMMENT ON COLUMN stream_parts.sha256 IS 'Digest of the file.';
COMMENT ON COLUMN stream_parts.logical_hash IS 'Digest of what its records say.';
COMMENT ON COLUMN stream_parts.commit_ends IS 'Offset of the last record of each transaction that ends in the file.';
COMMENT ON COLUMN stream_parts.epoch IS 'Epoch of the lease under which it was published, or merged of others.';
COMMENT ON COLUMN stream_parts.published_at IS 'When it was added.';

CREATE TABLE stream_policies (
    stream text NOT NULL,
    allow text NOT NULL,
    set_by text NOT NULL DEFAULT session_user,
    set_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream),
    CHECK (allow IN ('any', 'not_fencing'))
);
COMMENT ON TABLE stream_policies IS 'What the evolution of a changelog stream''s schema may do to its readers; without a row, anything permitted.';
COMMENT ON COLUMN stream_policies.stream IS 'The stream.';
COMMENT ON COLUMN stream_policies.allow IS '`any`, or `not_fencing`: a change that would fence a reader in `stream_readers` is refused.';
COMMENT ON COLUMN stream_policies.set_by IS 'Login that set it.';
COMMENT ON COLUMN stream_policies.set_at IS 'When.';

CREATE TABLE stream_readers (
    stream text NOT NULL,
    reader text NOT NULL,
    schema_id integer NOT NULL,
    columns text[],
    registered_by text NOT NULL DEFAULT session_user,
    registered_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, reader)
);
COMMENT ON TABLE stream_readers IS 'Who reads a changelog stream, and which of its columns.';
COMMENT ON COLUMN stream_readers.stream IS 'The stream.';
COMMENT ON COLUMN stream_readers.reader IS 'The reader, by any name that its owner is found by.';
COMMENT ON COLUMN stream_readers.schema_id IS 'The schema that it was written for.';
COMMENT ON COLUMN stream_readers.columns IS 'What it reads, with dots before fields of structs: `address.city`. Null is every column of that schema.';
COMMENT ON COLUMN stream_readers.registered_by IS 'Login that registered it.';
COMMENT ON COLUMN stream_readers.registered_at IS 'When.';

CREATE TABLE stream_roots (
    name text NOT NULL,
    root_id uuid NOT NULL,
    url text NOT NULL,
    publication bigint,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name)
);
COMMENT ON TABLE stream_roots IS 'Below which root the changelog streams of this database are: one row, once a stream was published.';
COMMENT ON COLUMN stream_roots.name IS '`streams`.';
COMMENT ON COLUMN stream_roots.root_id IS 'Id of the root, which its `publisher.json` has, too.';
COMMENT ON COLUMN stream_roots.url IS 'Where it was when it was last written to, for people.';
COMMENT ON COLUMN stream_roots.publication IS 'Transaction in which the last publication began.';
COMMENT ON COLUMN stream_roots.updated_at IS 'When it was last written.';

CREATE TABLE stream_schemas (
    stream text NOT NULL,
    schema_id integer NOT NULL,
    migration_type jsonb NOT NULL,
    key text[] NOT NULL,
    registered_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (stream, schema_id),
    CHECK (schema_id >= 0)
);
COMMENT ON TABLE stream_schemas IS 'The schemas that the data of each changelog stream has had, in their order. A row is never changed.';
COMMENT ON COLUMN stream_schemas.stream IS 'The stream.';
COMMENT ON COLUMN stream_schemas.schema_id IS 'Number of the schema, from 0 without a gap.';
COMMENT ON COLUMN stream_schemas.migration_type IS 'Name, type and nullability of each data column, in order, also of each that was ever deleted.';
COMMENT ON COLUMN stream_schemas.key IS 'The data columns that name a row; empty if none do.';
COMMENT ON COLUMN stream_schemas.registered_at IS 'When it became the latest.';

CREATE TABLE streams (
    name text NOT NULL,
    started_by text NOT NULL DEFAULT session_user,
    started_at timestamptz NOT NULL DEFAULT now(),
    started_xid bigint NOT NULL DEFAULT (pg_current_xact_id()::text)::bigint,
    PRIMARY KEY (name)
);
COMMENT ON TABLE streams IS 'The changelog streams that are on: one that has a row here is captured, and published.';
COMMENT ON COLUMN streams.name IS 'The stream, named for its table or view.';
COMMENT ON COLUMN streams.started_by IS 'Login that started it.';
COMMENT ON COLUMN streams.started_at IS 'When.';
COMMENT ON COLUMN streams.started_xid IS 'Transaction that started it, by which one start is told from another.';

CREATE TABLE unreadable_facets (
    event_order bytea NOT NULL,
    event_time timestamptz NOT NULL,
    run_uuid uuid,
    producer text NOT NULL,
    name varchar(255) NOT NULL,
    path text NOT NULL,
    reason text NOT NULL
);
CREATE INDEX unreadable_facets_event_time_index ON unreadable_facets (event_time);
CREATE INDEX unreadable_facets_run_index ON unreadable_facets (run_uuid) WHERE run_uuid IS NOT NULL;
COMMENT ON TABLE unreadable_facets IS 'Facets that were kept as they came, but of which no table could be filled: a row an event and facet.';
COMMENT ON COLUMN unreadable_facets.event_order IS 'Order of the event.';
COMMENT ON COLUMN unreadable_facets.event_time IS 'Time of the event.';
COMMENT ON COLUMN unreadable_facets.run_uuid IS 'The run; null for job events and dataset events.';
COMMENT ON COLUMN unreadable_facets.producer IS 'Producer of the event.';
COMMENT ON COLUMN unreadable_facets.name IS 'The facet''s key.';
COMMENT ON COLUMN unreadable_facets.path IS 'Where in the event the fault lies.';
COMMENT ON COLUMN unreadable_facets.reason IS 'What is wrong.';
COMMENT ON INDEX unreadable_facets_event_time_index IS 'The last ones.';
COMMENT ON INDEX unreadable_facets_run_index IS 'Removal with the run.';

CREATE TABLE watermarks (
    name text NOT NULL,
    system_identifier bigint NOT NULL,
    done pg_snapshot NOT NULL,
    target pg_snapshot,
    cursor_xid bigint,
    cursor_seq bigint,
    partitions text[] NOT NULL,
    updated_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (name)
);
COMMENT ON TABLE watermarks IS 'What each consumer of lineage_events has done: all that `done` sees, and of `target` all before the cursor.';
COMMENT ON COLUMN watermarks.name IS 'The consumer.';
COMMENT ON COLUMN watermarks.system_identifier IS 'Cluster that the snapshots were taken in; in any other they mean nothing.';
COMMENT ON COLUMN watermarks.done IS 'Every event that this snapshot sees is done.';
COMMENT ON COLUMN watermarks.target IS 'Snapshot that is being worked off; null between two runs.';
COMMENT ON COLUMN watermarks.cursor_xid IS 'Transaction of the last event done of the target.';
COMMENT ON COLUMN watermarks.cursor_seq IS 'Place in its transaction of the last event done of the target.';
COMMENT ON COLUMN watermarks.partitions IS 'Partitions that were looked through for arrival numbers of elsewhere, each as it was attached then.';
COMMENT ON COLUMN watermarks.updated_at IS 'When it was last moved.';

CREATE TABLE dataset_symlinks (
    dataset_uuid uuid,
    name varchar NOT NULL,
    namespace_uuid uuid NOT NULL,
    type varchar(64),
    is_primary boolean DEFAULT false,
    created_at timestamp NOT NULL,
    updated_at timestamp NOT NULL,
    name_uuid uuid,
    first_event bytea,
    PRIMARY KEY (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_symlinks_dataset_uuid ON dataset_symlinks (dataset_uuid);
COMMENT ON TABLE dataset_symlinks IS 'Every name under which a dataset is known, its own among them.';
COMMENT ON COLUMN dataset_symlinks.dataset_uuid IS 'The dataset that had this name first.';
COMMENT ON COLUMN dataset_symlinks.name IS 'The name.';
COMMENT ON COLUMN dataset_symlinks.namespace_uuid IS 'Namespace of the name, as spelled.';
COMMENT ON COLUMN dataset_symlinks.type IS 'What kind of name it is, such as TABLE or LOCATION.';
COMMENT ON COLUMN dataset_symlinks.is_primary IS 'Whether it is the dataset''s own name.';
COMMENT ON COLUMN dataset_symlinks.created_at IS 'Time of the first event that used the name, in UTC.';
COMMENT ON COLUMN dataset_symlinks.updated_at IS 'As created_at: later events change nothing.';
COMMENT ON COLUMN dataset_symlinks.name_uuid IS 'The name, formatted, as a key.';
COMMENT ON COLUMN dataset_symlinks.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX dataset_symlinks_dataset_uuid IS 'All names of a dataset.';

CREATE TABLE jobs (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    namespace_uuid uuid,
    simple_name varchar NOT NULL,
    description text,
    current_version_uuid uuid,
    namespace_name varchar,
    current_job_context_uuid uuid,
    current_location varchar,
    current_inputs jsonb,
    symlink_target_uuid uuid,
    parent_job_uuid uuid,
    parent_job_uuid_string character(36) DEFAULT '',
    is_hidden boolean DEFAULT false,
    name varchar NOT NULL,
    aliases varchar[],
    current_run_uuid uuid,
    latest_event bytea,
    first_event bytea,
    parent_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT unique_jobs_namespace_uuid_name_parent UNIQUE (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE,
    FOREIGN KEY (symlink_target_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (parent_job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX jobs_name_index ON jobs (name, namespace_name);
CREATE INDEX jobs_parent_job_uuid_index ON jobs (parent_job_uuid);
CREATE INDEX jobs_symlink_target_uuid_index ON jobs (symlink_target_uuid) WHERE symlink_target_uuid IS NOT NULL;
COMMENT ON TABLE jobs IS 'Every job that an event named. One without latest_event is known from its children only.';
COMMENT ON COLUMN jobs.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN jobs.type IS 'BATCH or STREAM, by its last event.';
COMMENT ON COLUMN jobs.created_at IS 'Time of its first event.';
COMMENT ON COLUMN jobs.updated_at IS 'Time of its last event.';
COMMENT ON COLUMN jobs.namespace_uuid IS 'Its namespace, formatted.';
COMMENT ON COLUMN jobs.simple_name IS 'Its name without its parent''s, by the first event that names one.';
COMMENT ON COLUMN jobs.description IS 'Documentation facet of its last event; null if that had none.';
COMMENT ON COLUMN jobs.current_version_uuid IS 'Version of the last event that made one.';
COMMENT ON COLUMN jobs.namespace_name IS 'Name of its namespace, formatted.';
COMMENT ON COLUMN jobs.current_job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN jobs.current_location IS 'Where its source code lies, by its last event.';
COMMENT ON COLUMN jobs.current_inputs IS 'Datasets that its last event read.';
COMMENT ON COLUMN jobs.symlink_target_uuid IS 'The job that took its place.';
COMMENT ON COLUMN jobs.parent_job_uuid IS 'The job that starts it, by the first event that names one.';
COMMENT ON COLUMN jobs.parent_job_uuid_string IS 'Blank, as Marquez leaves it.';
COMMENT ON COLUMN jobs.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN jobs.name IS 'Its full name.';
COMMENT ON COLUMN jobs.aliases IS 'Earlier names of it.';
COMMENT ON COLUMN jobs.current_run_uuid IS 'Run of its last event; null after a job event.';
COMMENT ON COLUMN jobs.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN jobs.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN jobs.parent_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX jobs_name_index IS 'A job by name, as the API asks.';
COMMENT ON INDEX jobs_parent_job_uuid_index IS 'Children of a job; removal of a job.';
COMMENT ON INDEX jobs_symlink_target_uuid_index IS 'Jobs that another took the place of; removal of a job.';

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

CREATE TABLE datasets (
    uuid uuid NOT NULL,
    type varchar(64) NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    namespace_uuid uuid,
    source_uuid uuid,
    name varchar NOT NULL,
    physical_name varchar NOT NULL,
    description text,
    current_version_uuid uuid,
    last_modified_at timestamp,
    namespace_name varchar,
    source_name varchar,
    is_deleted boolean DEFAULT false,
    is_hidden boolean DEFAULT false,
    name_uuid uuid,
    PRIMARY KEY (uuid),
    CONSTRAINT datasets_namespace_uuid_name_key UNIQUE (namespace_uuid, name),
    FOREIGN KEY (namespace_uuid) REFERENCES namespaces (uuid) ON DELETE CASCADE,
    FOREIGN KEY (source_uuid) REFERENCES sources (uuid) ON DELETE CASCADE,
    FOREIGN KEY (name_uuid) REFERENCES dataset_names (uuid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX dataset_name_index ON datasets (name, namespace_name);
CREATE INDEX datasets_source_uuid_index ON datasets (source_uuid);
CREATE UNIQUE INDEX datasets_name_uuid_index ON datasets (name_uuid);
COMMENT ON TABLE datasets IS 'Every dataset that events named, however they called it; derived from dataset_names.';
COMMENT ON COLUMN datasets.uuid IS 'Follows from namespace and name.';
COMMENT ON COLUMN datasets.type IS 'Always DB_TABLE, as Marquez has it.';
COMMENT ON COLUMN datasets.created_at IS 'Time of the first event that named it.';
COMMENT ON COLUMN datasets.updated_at IS 'Time of the last event that named it.';
COMMENT ON COLUMN datasets.namespace_uuid IS 'Its namespace, formatted.';
COMMENT ON COLUMN datasets.source_uuid IS 'Where it lies, by the first event that named it.';
COMMENT ON COLUMN datasets.name IS 'Its own name: the one that no other dataset had before.';
COMMENT ON COLUMN datasets.physical_name IS 'Its name in the last event that named it.';
COMMENT ON COLUMN datasets.description IS 'Documentation facet of that event; null if it had none.';
COMMENT ON COLUMN datasets.current_version_uuid IS 'Version that readers now read.';
COMMENT ON COLUMN datasets.last_modified_at IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN datasets.namespace_name IS 'Name of its namespace, formatted.';
COMMENT ON COLUMN datasets.source_name IS 'Name of its source.';
COMMENT ON COLUMN datasets.is_deleted IS 'Whether the last event that named it dropped it.';
COMMENT ON COLUMN datasets.is_hidden IS 'Left out of lists.';
COMMENT ON COLUMN datasets.name_uuid IS 'Its own name, as a key.';
COMMENT ON INDEX dataset_name_index IS 'A dataset by name, as the API asks.';
COMMENT ON INDEX datasets_source_uuid_index IS 'Removal of a source.';
COMMENT ON INDEX datasets_name_uuid_index IS 'A dataset by the key of its own name.';

CREATE TABLE migration_acceptances (
    migration text NOT NULL,
    key text NOT NULL,
    error text NOT NULL,
    why text NOT NULL,
    accepted_by text NOT NULL DEFAULT session_user,
    accepted_from text,
    accepted_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (migration, key),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
COMMENT ON TABLE migration_acceptances IS 'Rows that a long migration cannot work on, and that somebody has accepted as they are. That counts while the row is in migration_quarantine with the same error.';
COMMENT ON COLUMN migration_acceptances.migration IS 'The migration.';
COMMENT ON COLUMN migration_acceptances.key IS 'Key of the row.';
COMMENT ON COLUMN migration_acceptances.error IS 'What was wrong with the row then.';
COMMENT ON COLUMN migration_acceptances.why IS 'Why it may stay so, in the words of who accepted it.';
COMMENT ON COLUMN migration_acceptances.accepted_by IS 'Login that accepted it.';
COMMENT ON COLUMN migration_acceptances.accepted_from IS 'User of the machine from which that was done, and the machine.';
COMMENT ON COLUMN migration_acceptances.accepted_at IS 'When.';

CREATE SEQUENCE migration_holds_id_seq;
CREATE TABLE migration_holds (
    id bigint NOT NULL DEFAULT nextval('migration_holds_id_seq'),
    migration text NOT NULL,
    signal text NOT NULL,
    detail text NOT NULL,
    since timestamptz NOT NULL,
    until timestamptz NOT NULL,
    ended_at timestamptz,
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_holds_id_seq OWNED BY migration_holds.id;
CREATE INDEX migration_holds_migration_index ON migration_holds (migration);
CREATE UNIQUE INDEX migration_holds_open_index ON migration_holds (migration, signal) WHERE ended_at IS NULL;
COMMENT ON TABLE migration_holds IS 'Waits of long migrations because of the server''s health. While one is open, no worker begins a transaction.';
COMMENT ON COLUMN migration_holds.id IS 'In order.';
COMMENT ON COLUMN migration_holds.migration IS 'The migration.';
COMMENT ON COLUMN migration_holds.signal IS 'What was too much.';
COMMENT ON COLUMN migration_holds.detail IS 'What the server showed.';
COMMENT ON COLUMN migration_holds.since IS 'When it began.';
COMMENT ON COLUMN migration_holds.until IS 'When the server is looked at again.';
COMMENT ON COLUMN migration_holds.ended_at IS 'When it was over; null while it lasts.';
COMMENT ON INDEX migration_holds_migration_index IS 'Removal of a migration.';
COMMENT ON INDEX migration_holds_open_index IS 'What holds a migration now; one hold for each signal.';

CREATE TABLE migration_quarantine (
    migration text NOT NULL,
    key text NOT NULL,
    error text NOT NULL,
    since timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (migration, key),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
COMMENT ON TABLE migration_quarantine IS 'Single rows that a long migration could not work on, with the error; the rest went on.';
COMMENT ON COLUMN migration_quarantine.migration IS 'The migration.';
COMMENT ON COLUMN migration_quarantine.key IS 'Key of the row.';
COMMENT ON COLUMN migration_quarantine.error IS 'What went wrong.';
COMMENT ON COLUMN migration_quarantine.since IS 'When it was set aside.';

CREATE SEQUENCE migration_ranges_id_seq;
CREATE TABLE migration_ranges (
    id bigint NOT NULL DEFAULT nextval('migration_ranges_id_seq'),
    migration text NOT NULL,
    after_key text,
    until_key text NOT NULL,
    cursor_key text,
    rows bigint NOT NULL,
    done bigint NOT NULL DEFAULT 0,
    changed bigint NOT NULL DEFAULT 0,
    state text NOT NULL DEFAULT 'pending',
    attempts integer NOT NULL DEFAULT 0,
    interruptions integer NOT NULL DEFAULT 0,
    not_before timestamptz,
    worker bigint,
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE,
    CHECK (state IN ('pending', 'running', 'waiting', 'done'))
);
ALTER SEQUENCE migration_ranges_id_seq OWNED BY migration_ranges.id;
CREATE INDEX migration_ranges_state_index ON migration_ranges (migration, state, id);
COMMENT ON TABLE migration_ranges IS 'The ranges of keys of a long migration. Only the worker that has one may write in it.';
COMMENT ON COLUMN migration_ranges.id IS 'Number of the range.';
COMMENT ON COLUMN migration_ranges.migration IS 'The migration.';
COMMENT ON COLUMN migration_ranges.after_key IS 'Key before its first; null if it begins with the first of all.';
COMMENT ON COLUMN migration_ranges.until_key IS 'Its last key.';
COMMENT ON COLUMN migration_ranges.cursor_key IS 'The last key that is done; null before the first transaction.';
COMMENT ON COLUMN migration_ranges.rows IS 'Rows when it was planned.';
COMMENT ON COLUMN migration_ranges.done IS 'Rows that are done, at most `rows`.';
COMMENT ON COLUMN migration_ranges.changed IS 'Rows of it that were changed.';
COMMENT ON COLUMN migration_ranges.state IS 'One of pending, running, waiting, done; what waits is to be tried again.';
COMMENT ON COLUMN migration_ranges.attempts IS 'Failures since it last got on.';
COMMENT ON COLUMN migration_ranges.interruptions IS 'Workers that died since it last got on.';
COMMENT ON COLUMN migration_ranges.not_before IS 'When it may be tried again.';
COMMENT ON COLUMN migration_ranges.worker IS 'Worker that has it; the fence.';
COMMENT ON INDEX migration_ranges_state_index IS 'The next range of a worker.';

CREATE SEQUENCE migration_transitions_id_seq;
CREATE TABLE migration_transitions (
    id bigint NOT NULL DEFAULT nextval('migration_transitions_id_seq'),
    migration text NOT NULL,
    range_id bigint,
    event text NOT NULL,
    detail text,
    happened_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    PRIMARY KEY (id),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_transitions_id_seq OWNED BY migration_transitions.id;
CREATE INDEX migration_transitions_migration_index ON migration_transitions (migration, id);
COMMENT ON TABLE migration_transitions IS 'What happened to long migrations and to their ranges: each change of state, each failure with its error.';
COMMENT ON COLUMN migration_transitions.id IS 'In order.';
COMMENT ON COLUMN migration_transitions.migration IS 'The migration.';
COMMENT ON COLUMN migration_transitions.range_id IS 'The range, null if the migration as a whole is meant.';
COMMENT ON COLUMN migration_transitions.event IS 'The new state, or failed, split, quarantined, accepted, interrupted.';
COMMENT ON COLUMN migration_transitions.detail IS 'The error, or who did it.';
COMMENT ON COLUMN migration_transitions.happened_at IS 'When.';
COMMENT ON INDEX migration_transitions_migration_index IS 'The history of a migration.';

CREATE SEQUENCE migration_workers_number_seq;
CREATE TABLE migration_workers (
    number bigint NOT NULL DEFAULT nextval('migration_workers_number_seq'),
    migration text NOT NULL,
    host text NOT NULL,
    started_at timestamptz NOT NULL DEFAULT now(),
    seen_at timestamptz NOT NULL DEFAULT now(),
    batch_rows bigint,
    batch_seconds double precision,
    longest_seconds double precision,
    rows_per_second double precision,
    spread double precision,
    PRIMARY KEY (number),
    FOREIGN KEY (migration) REFERENCES migrations (name) ON DELETE CASCADE
);
ALTER SEQUENCE migration_workers_number_seq OWNED BY migration_workers.number;
CREATE INDEX migration_workers_migration_index ON migration_workers (migration);
COMMENT ON TABLE migration_workers IS 'Workers of long migrations. One lives as long as its session, which holds an advisory lock of its number.';
COMMENT ON COLUMN migration_workers.number IS 'The worker.';
COMMENT ON COLUMN migration_workers.migration IS 'What it works on.';
COMMENT ON COLUMN migration_workers.host IS 'Machine that it runs on.';
COMMENT ON COLUMN migration_workers.started_at IS 'When it began.';
COMMENT ON COLUMN migration_workers.seen_at IS 'Its last transaction.';
COMMENT ON COLUMN migration_workers.batch_rows IS 'Rows of its last transaction.';
COMMENT ON COLUMN migration_workers.batch_seconds IS 'What that took.';
COMMENT ON COLUMN migration_workers.longest_seconds IS 'What its longest transaction took.';
COMMENT ON COLUMN migration_workers.rows_per_second IS 'Its rate, waits between transactions included.';
COMMENT ON COLUMN migration_workers.spread IS 'By which part single transactions differ from the rate.';
COMMENT ON INDEX migration_workers_migration_index IS 'The workers of a migration.';

CREATE TABLE retention_hold_releases (
    hold bigint NOT NULL,
    why text NOT NULL,
    released_by text NOT NULL DEFAULT session_user,
    released_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (hold),
    FOREIGN KEY (hold) REFERENCES retention_holds (id) ON DELETE NO ACTION,
    CHECK (btrim(why) <> '')
);
COMMENT ON TABLE retention_hold_releases IS 'Legal holds that somebody has ended. A row is never changed: who wants the hold again places another.';
COMMENT ON COLUMN retention_hold_releases.hold IS 'The hold.';
COMMENT ON COLUMN retention_hold_releases.why IS 'Why it is held no more.';
COMMENT ON COLUMN retention_hold_releases.released_by IS 'Login that released it.';
COMMENT ON COLUMN retention_hold_releases.released_at IS 'When.';

CREATE TABLE retention_restored_events (
    identity bytea NOT NULL,
    hold bigint NOT NULL,
    PRIMARY KEY (hold, identity),
    FOREIGN KEY (hold) REFERENCES retention_holds (id) ON DELETE CASCADE
);
CREATE INDEX retention_restored_events_identity_index ON retention_restored_events (identity);
COMMENT ON TABLE retention_restored_events IS 'Events that were restored out of an archive. While the hold that came with them is in force they are held, and taken in from behind the horizon; no other event is. Only the function that restores writes it.';
COMMENT ON COLUMN retention_restored_events.identity IS 'Identity of the event: time, rank and digest.';
COMMENT ON COLUMN retention_restored_events.hold IS 'The hold.';
COMMENT ON INDEX retention_restored_events_identity_index IS 'Whether an event was restored.';

CREATE TABLE retention_plan_events (
    plan bigint NOT NULL,
    first_seq bigint NOT NULL,
    last_seq bigint NOT NULL,
    PRIMARY KEY (plan, first_seq),
    FOREIGN KEY (plan) REFERENCES retention_plans (id) ON DELETE CASCADE,
    CHECK (last_seq >= first_seq)
);
COMMENT ON TABLE retention_plan_events IS 'Raw events that go by a plan of retention, by the numbers of their arrival. Forgotten with its keys.';
COMMENT ON COLUMN retention_plan_events.plan IS 'The plan.';
COMMENT ON COLUMN retention_plan_events.first_seq IS '`arrival_seq` of the first of some in a row.';
COMMENT ON COLUMN retention_plan_events.last_seq IS 'That of the last of them.';

CREATE TABLE retention_plan_keys (
    plan bigint NOT NULL,
    kind text NOT NULL,
    number integer NOT NULL,
    keys uuid[] NOT NULL,
    PRIMARY KEY (plan, kind, number),
    FOREIGN KEY (plan) REFERENCES retention_plans (id) ON DELETE CASCADE
);
COMMENT ON TABLE retention_plan_keys IS 'What goes by a plan of retention: nothing else may. Forgotten a month after it was planned.';
COMMENT ON COLUMN retention_plan_keys.plan IS 'The plan.';
COMMENT ON COLUMN retention_plan_keys.kind IS 'The table from which it goes, or `job_events`.';
COMMENT ON COLUMN retention_plan_keys.number IS 'In order.';
COMMENT ON COLUMN retention_plan_keys.keys IS 'Their uuids; of a job event, the first half of a SHA-256.';

CREATE TABLE job_labels (
    uuid uuid NOT NULL,
    job_uuid uuid NOT NULL,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_labels_job_uuid_index ON job_labels (job_uuid);
COMMENT ON TABLE job_labels IS 'The tags and owners that the last event with such a facet gives a job, a row for each of its names. Tags and ownerships follow from it.';
COMMENT ON COLUMN job_labels.uuid IS 'Follows from the name by which events call the job.';
COMMENT ON COLUMN job_labels.job_uuid IS 'The job that bears the name.';
COMMENT ON COLUMN job_labels.tags IS 'Name of each tag.';
COMMENT ON COLUMN job_labels.tags_reported_at IS 'Time of that event.';
COMMENT ON COLUMN job_labels.owners IS 'Name and type of each owner.';
COMMENT ON COLUMN job_labels.owners_reported_at IS 'Time of that event.';
COMMENT ON COLUMN job_labels.tags_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN job_labels.owners_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX job_labels_job_uuid_index IS 'Labels of a job; its removal.';

CREATE TABLE job_ownerships (
    job_uuid uuid NOT NULL,
    owner_uuid uuid NOT NULL,
    type varchar NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (job_uuid, owner_uuid, type),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (owner_uuid) REFERENCES owners (uuid) ON DELETE CASCADE
);
CREATE INDEX job_ownerships_owner_uuid_index ON job_ownerships (owner_uuid);
COMMENT ON TABLE job_ownerships IS 'Who owns a job: all that the last ownership facet of the job says.';
COMMENT ON COLUMN job_ownerships.job_uuid IS 'Job that is owned.';
COMMENT ON COLUMN job_ownerships.owner_uuid IS 'Who owns it.';
COMMENT ON COLUMN job_ownerships.type IS 'What kind of owner, such as MAINTAINER; empty if not said.';
COMMENT ON COLUMN job_ownerships.reported_at IS 'Time of the event that says so.';
COMMENT ON INDEX job_ownerships_owner_uuid_index IS 'What somebody owns; removal of an owner.';

CREATE TABLE job_versions (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    job_uuid uuid,
    version uuid NOT NULL,
    location varchar,
    latest_run_uuid uuid,
    job_context_uuid uuid,
    namespace_uuid uuid,
    namespace_name varchar,
    job_name varchar,
    PRIMARY KEY (uuid),
    CONSTRAINT job_versions_version UNIQUE (version),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_versions_job_uuid_index ON job_versions (job_uuid);
CREATE INDEX job_versions_selector ON job_versions (job_name, namespace_name);
COMMENT ON TABLE job_versions IS 'Each combination of datasets and source code that a job had; derived from event_ledger.';
COMMENT ON COLUMN job_versions.uuid IS 'As version, unless Marquez gave another.';
COMMENT ON COLUMN job_versions.created_at IS 'Time of the first event that made it.';
COMMENT ON COLUMN job_versions.updated_at IS 'Time of the last event that made it.';
COMMENT ON COLUMN job_versions.job_uuid IS 'Its job.';
COMMENT ON COLUMN job_versions.version IS 'Follows from job, datasets and location.';
COMMENT ON COLUMN job_versions.location IS 'Where its source code lies; Marquez takes 255 characters at most.';
COMMENT ON COLUMN job_versions.latest_run_uuid IS 'The last run of it; null if only job events made it.';
COMMENT ON COLUMN job_versions.job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN job_versions.namespace_uuid IS 'Namespace of its job.';
COMMENT ON COLUMN job_versions.namespace_name IS 'Name of that namespace.';
COMMENT ON COLUMN job_versions.job_name IS 'Name of its job.';
COMMENT ON INDEX job_versions_job_uuid_index IS 'All versions of a job; removal of a job.';
COMMENT ON INDEX job_versions_selector IS 'Versions by the job''s name, as the API asks.';

CREATE TABLE jobs_tag_mapping (
    job_uuid uuid NOT NULL,
    tag_uuid uuid NOT NULL,
    tagged_at timestamptz NOT NULL,
    is_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tag_uuid, job_uuid),
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE NO ACTION,
    FOREIGN KEY (tag_uuid) REFERENCES tags (uuid) ON DELETE NO ACTION
);
CREATE INDEX jobs_tag_mapping_job_uuid_index ON jobs_tag_mapping (job_uuid);
COMMENT ON TABLE jobs_tag_mapping IS 'The tags that events and people put on jobs. A job that bears one cannot be removed before its tags are.';
COMMENT ON COLUMN jobs_tag_mapping.job_uuid IS 'Job that bears the tag.';
COMMENT ON COLUMN jobs_tag_mapping.tag_uuid IS 'Tag that it bears.';
COMMENT ON COLUMN jobs_tag_mapping.tagged_at IS 'When a person put it there, or the time of the event that reports it.';
COMMENT ON COLUMN jobs_tag_mapping.is_reported IS 'Whether it comes from events. What people put there stays until people take it away.';
COMMENT ON INDEX jobs_tag_mapping_job_uuid_index IS 'Tags of one job; the check when a job is removed.';

CREATE TABLE dataset_fields (
    uuid uuid NOT NULL,
    type text,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    dataset_uuid uuid,
    name varchar(255) NOT NULL,
    description text,
    first_event bytea,
    latest_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_fields_dataset_uuid ON dataset_fields (dataset_uuid);
COMMENT ON TABLE dataset_fields IS 'Every column that a dataset ever had, a row for each name and type; derived from dataset_schemas.';
COMMENT ON COLUMN dataset_fields.uuid IS 'Follows from dataset, name and type.';
COMMENT ON COLUMN dataset_fields.type IS 'Its type as spelled; null if no event gave one.';
COMMENT ON COLUMN dataset_fields.created_at IS 'Time of the first event that had it.';
COMMENT ON COLUMN dataset_fields.updated_at IS 'Time of the last event that had it.';
COMMENT ON COLUMN dataset_fields.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_fields.name IS 'Its name.';
COMMENT ON COLUMN dataset_fields.description IS 'Its description in that event.';
COMMENT ON COLUMN dataset_fields.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN dataset_fields.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_fields_dataset_uuid IS 'The columns of a dataset, as the API lists them.';

CREATE TABLE dataset_labels (
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_labels_dataset_uuid_index ON dataset_labels (dataset_uuid);
COMMENT ON TABLE dataset_labels IS 'The tags and owners that the last event with such a facet gives a dataset, a row for each of its names. Tags and ownerships follow from it.';
COMMENT ON COLUMN dataset_labels.uuid IS 'Follows from the name by which events call the dataset.';
COMMENT ON COLUMN dataset_labels.dataset_uuid IS 'The dataset that bears the name.';
COMMENT ON COLUMN dataset_labels.tags IS 'Name of each tag, and the column that bears it or null.';
COMMENT ON COLUMN dataset_labels.tags_reported_at IS 'Time of that event.';
COMMENT ON COLUMN dataset_labels.owners IS 'Name and type of each owner.';
COMMENT ON COLUMN dataset_labels.owners_reported_at IS 'Time of that event.';
COMMENT ON COLUMN dataset_labels.tags_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN dataset_labels.owners_event IS 'Order of the event that the newest came from.';
COMMENT ON INDEX dataset_labels_dataset_uuid_index IS 'Labels of a dataset; its removal.';

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
    lineage_event_type varchar(64),
    facets_uuid uuid,
    io_facets_uuid uuid,
    is_current_at_once boolean NOT NULL,
    is_purged boolean NOT NULL DEFAULT false,
    PRIMARY KEY (dataset_uuid, role, event_order, place),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_mentions_run_index ON dataset_mentions (run_uuid, role) WHERE run_uuid IS NOT NULL;
CREATE INDEX dataset_mentions_version_index ON dataset_mentions (version_uuid, schema_uuid);
CREATE INDEX dataset_mentions_job_event_index ON dataset_mentions (event_order) WHERE run_uuid IS NULL;
CREATE INDEX dataset_mentions_purged_index ON dataset_mentions (event_order) WHERE is_purged;
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
COMMENT ON COLUMN dataset_mentions.lineage_event_type IS 'Type of the event; null for job and dataset events.';
COMMENT ON COLUMN dataset_mentions.facets_uuid IS 'The set of its facets, a row of `facet_sets`; null without any.';
COMMENT ON COLUMN dataset_mentions.io_facets_uuid IS 'The set of its input or output facets; null without any.';
COMMENT ON COLUMN dataset_mentions.is_current_at_once IS 'Current without a COMPLETE.';
COMMENT ON COLUMN dataset_mentions.is_purged IS 'Whether retention has deleted its run or event, and only what others need of it is left.';
COMMENT ON INDEX dataset_mentions_run_index IS 'What a run read and wrote.';
COMMENT ON INDEX dataset_mentions_version_index IS 'The schemas under which a version was written or read, each once; its mentions.';
COMMENT ON INDEX dataset_mentions_job_event_index IS 'What a job event named.';
COMMENT ON INDEX dataset_mentions_purged_index IS 'What purged runs have left.';

CREATE TABLE dataset_ownerships (
    dataset_uuid uuid NOT NULL,
    owner_uuid uuid NOT NULL,
    type varchar NOT NULL,
    reported_at timestamptz NOT NULL,
    PRIMARY KEY (dataset_uuid, owner_uuid, type),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (owner_uuid) REFERENCES owners (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_ownerships_owner_uuid_index ON dataset_ownerships (owner_uuid);
COMMENT ON TABLE dataset_ownerships IS 'Who owns a dataset: all that the last ownership facet of the dataset says.';
COMMENT ON COLUMN dataset_ownerships.dataset_uuid IS 'Dataset that is owned.';
COMMENT ON COLUMN dataset_ownerships.owner_uuid IS 'Who owns it.';
COMMENT ON COLUMN dataset_ownerships.type IS 'What kind of owner, such as MAINTAINER; empty if not said.';
COMMENT ON COLUMN dataset_ownerships.reported_at IS 'Time of the event that says so.';
COMMENT ON INDEX dataset_ownerships_owner_uuid_index IS 'What somebody owns; removal of an owner.';

CREATE TABLE dataset_schema_alerts (
    id bigint NOT NULL GENERATED ALWAYS AS IDENTITY,
    dataset_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    version_uuid uuid NOT NULL,
    changed_at timestamptz NOT NULL,
    job_namespace text,
    job_name text,
    run_uuid uuid,
    refusals jsonb NOT NULL,
    raised_at timestamptz NOT NULL DEFAULT now(),
    resolved_at timestamptz,
    resolution text,
    acknowledged_at timestamptz,
    acknowledged_by text,
    reason text,
    PRIMARY KEY (id),
    CONSTRAINT dataset_schema_alerts_dataset_uuid_event_order_key UNIQUE (dataset_uuid, event_order),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
COMMENT ON TABLE dataset_schema_alerts IS 'Schemas of datasets that broke a rule. One is raised with its verdict, and resolved if events that came late make the verdict another. It goes with the version.';
COMMENT ON COLUMN dataset_schema_alerts.id IS 'In order.';
COMMENT ON COLUMN dataset_schema_alerts.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_schema_alerts.event_order IS 'Order of the event, as of the verdict.';
COMMENT ON COLUMN dataset_schema_alerts.version_uuid IS 'The version that has the schema.';
COMMENT ON COLUMN dataset_schema_alerts.changed_at IS 'Time of the event.';
COMMENT ON COLUMN dataset_schema_alerts.job_namespace IS 'Namespace of the job that wrote it; null if it was declared.';
COMMENT ON COLUMN dataset_schema_alerts.job_name IS 'Name of that job.';
COMMENT ON COLUMN dataset_schema_alerts.run_uuid IS 'The run that wrote it.';
COMMENT ON COLUMN dataset_schema_alerts.refusals IS 'Path, rule and reason of each, as of the verdict.';
COMMENT ON COLUMN dataset_schema_alerts.raised_at IS 'When it was raised last.';
COMMENT ON COLUMN dataset_schema_alerts.resolved_at IS 'When it was no longer true.';
COMMENT ON COLUMN dataset_schema_alerts.resolution IS 'What the verdict was then; `moved` if the version is no longer one of the dataset.';
COMMENT ON COLUMN dataset_schema_alerts.acknowledged_at IS 'When a person acknowledged it.';
COMMENT ON COLUMN dataset_schema_alerts.acknowledged_by IS 'Who that was.';
COMMENT ON COLUMN dataset_schema_alerts.reason IS 'Why it may stay so, in the words of that person.';

CREATE TABLE dataset_schema_histories (
    uuid uuid NOT NULL,
    dataset_uuid uuid NOT NULL,
    history jsonb NOT NULL,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_schema_histories_dataset_index ON dataset_schema_histories (dataset_uuid);
COMMENT ON TABLE dataset_schema_histories IS 'What the schemas of a dataset are judged by: the latest one that is known, with all fields that were ever deleted. It stays when retention deletes the versions that it comes from.';
COMMENT ON COLUMN dataset_schema_histories.uuid IS 'Follows from the dataset and its history.';
COMMENT ON COLUMN dataset_schema_histories.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_schema_histories.history IS 'As `DatasetHistory.to_json` writes it.';
COMMENT ON INDEX dataset_schema_histories_dataset_index IS 'Removal of a dataset.';

CREATE TABLE dataset_schema_versions (
    uuid uuid NOT NULL,
    dataset_uuid uuid,
    created_at timestamptz NOT NULL,
    PRIMARY KEY (uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_schema_versions_dataset_uuid_index ON dataset_schema_versions (dataset_uuid);
COMMENT ON TABLE dataset_schema_versions IS 'Each set of names and types that versions of a dataset had; made once, never changed, used again.';
COMMENT ON COLUMN dataset_schema_versions.uuid IS 'Follows from dataset, names and types.';
COMMENT ON COLUMN dataset_schema_versions.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_schema_versions.created_at IS 'When the first version with it was made.';
COMMENT ON INDEX dataset_schema_versions_dataset_uuid_index IS 'History of a dataset''s schema; removal.';

CREATE TABLE dataset_version_timeline (
    dataset_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    is_written boolean NOT NULL,
    version_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_uuid, event_order, is_written),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_version_timeline_reader_index ON dataset_version_timeline (dataset_uuid) WHERE NOT is_written;
COMMENT ON TABLE dataset_version_timeline IS 'Which version of a dataset was current from when, by the order of events.';
COMMENT ON COLUMN dataset_version_timeline.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_version_timeline.event_order IS 'Order of the event that made it current.';
COMMENT ON COLUMN dataset_version_timeline.is_written IS 'Written or declared; false where the first reader of an unknown dataset made it.';
COMMENT ON COLUMN dataset_version_timeline.version_uuid IS 'The version.';
COMMENT ON INDEX dataset_version_timeline_reader_index IS 'The version that a reader made, if one did.';

CREATE TABLE datasets_tag_mapping (
    dataset_uuid uuid NOT NULL,
    tag_uuid uuid NOT NULL,
    tagged_at timestamp NOT NULL,
    is_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tag_uuid, dataset_uuid),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (tag_uuid) REFERENCES tags (uuid) ON DELETE CASCADE
);
CREATE INDEX datasets_tag_mapping_dataset_uuid_index ON datasets_tag_mapping (dataset_uuid);
COMMENT ON TABLE datasets_tag_mapping IS 'The tags that events and people put on datasets.';
COMMENT ON COLUMN datasets_tag_mapping.dataset_uuid IS 'Dataset that bears the tag.';
COMMENT ON COLUMN datasets_tag_mapping.tag_uuid IS 'Tag that it bears.';
COMMENT ON COLUMN datasets_tag_mapping.tagged_at IS 'When a person put it there, or the time of the event that reports it, in UTC.';
COMMENT ON COLUMN datasets_tag_mapping.is_reported IS 'Whether it comes from events. What people put there stays until people take it away.';
COMMENT ON INDEX datasets_tag_mapping_dataset_uuid_index IS 'Tags of one dataset; removal of a dataset.';

CREATE TABLE job_versions_io_mapping (
    job_version_uuid uuid,
    dataset_uuid uuid NOT NULL,
    io_type varchar(64) NOT NULL,
    job_uuid uuid,
    job_symlink_target_uuid uuid,
    is_current_job_version boolean DEFAULT false,
    made_current_at timestamp,
    CONSTRAINT job_versions_io_mapping_mapping_pkey UNIQUE (job_version_uuid, dataset_uuid, io_type, job_uuid),
    FOREIGN KEY (job_version_uuid) REFERENCES job_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (job_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (job_symlink_target_uuid) REFERENCES jobs (uuid) ON DELETE CASCADE
);
CREATE INDEX job_versions_io_mapping_dataset_index ON job_versions_io_mapping (dataset_uuid);
CREATE INDEX job_versions_io_mapping_job_uuid_job_symlink_target_uuid ON job_versions_io_mapping (job_uuid, job_symlink_target_uuid);
CREATE INDEX job_versions_io_mapping_symlink_target_index ON job_versions_io_mapping (job_symlink_target_uuid) WHERE job_symlink_target_uuid IS NOT NULL;
COMMENT ON TABLE job_versions_io_mapping IS 'Which datasets a job version reads and writes, and whether that is what the job now does.';
COMMENT ON COLUMN job_versions_io_mapping.job_version_uuid IS 'The version.';
COMMENT ON COLUMN job_versions_io_mapping.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN job_versions_io_mapping.io_type IS 'INPUT or OUTPUT.';
COMMENT ON COLUMN job_versions_io_mapping.job_uuid IS 'Job of the version.';
COMMENT ON COLUMN job_versions_io_mapping.job_symlink_target_uuid IS 'The job that took its place.';
COMMENT ON COLUMN job_versions_io_mapping.is_current_job_version IS 'Whether the version is the job''s current one.';
COMMENT ON COLUMN job_versions_io_mapping.made_current_at IS 'Since when it is current, in UTC; null if it is not.';
COMMENT ON INDEX job_versions_io_mapping_dataset_index IS 'Jobs that read or write a dataset.';
COMMENT ON INDEX job_versions_io_mapping_job_uuid_job_symlink_target_uuid IS 'What a job reads and writes, as the API''s lineage graph asks.';
COMMENT ON INDEX job_versions_io_mapping_symlink_target_index IS 'Removal of a job that took another''s place.';

CREATE TABLE runs (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    updated_at timestamptz NOT NULL,
    job_version_uuid uuid,
    run_args_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    current_run_state varchar(64),
    start_run_state_uuid uuid,
    end_run_state_uuid uuid,
    external_id varchar,
    namespace_name varchar,
    job_name varchar,
    location varchar,
    transitioned_at timestamp,
    started_at timestamp,
    ended_at timestamp,
    job_context_uuid uuid,
    parent_run_uuid uuid,
    job_uuid uuid,
    first_event bytea,
    latest_event bytea,
    nominal_event bytea,
    state_event bytea,
    start_event bytea,
    end_event bytea,
    parent_event bytea,
    PRIMARY KEY (uuid),
    FOREIGN KEY (job_version_uuid) REFERENCES job_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (run_args_uuid) REFERENCES run_args (uuid) ON DELETE CASCADE
);
CREATE INDEX runs_created_at_by_name_index ON runs (job_name, namespace_name, created_at DESC);
CREATE INDEX runs_created_at_index ON runs (created_at DESC);
CREATE INDEX runs_job_uuid ON runs (job_uuid, transitioned_at DESC);
CREATE INDEX runs_job_version_uuid_index ON runs (job_version_uuid);
CREATE INDEX runs_parent_run_uuid_index ON runs (parent_run_uuid);
CREATE INDEX runs_start_run_state_uuid_index ON runs (start_run_state_uuid);
CREATE INDEX runs_end_run_state_uuid_index ON runs (end_run_state_uuid);
CREATE INDEX runs_run_args_uuid_index ON runs (run_args_uuid);
COMMENT ON TABLE runs IS 'Every run that an event named. One without first_event is known from its children only.';
COMMENT ON COLUMN runs.uuid IS 'The producer''s, or derived from its text.';
COMMENT ON COLUMN runs.created_at IS 'Time of its first event.';
COMMENT ON COLUMN runs.updated_at IS 'Time of its last event.';
COMMENT ON COLUMN runs.job_version_uuid IS 'Version of its job, by the last event that made one.';
COMMENT ON COLUMN runs.run_args_uuid IS 'Arguments in its first event.';
COMMENT ON COLUMN runs.nominal_start_time IS 'Start of the interval that it works for, in UTC.';
COMMENT ON COLUMN runs.nominal_end_time IS 'End of that interval, in UTC.';
COMMENT ON COLUMN runs.current_run_state IS 'RUNNING, COMPLETED, FAILED or ABORTED.';
COMMENT ON COLUMN runs.start_run_state_uuid IS 'State that started it.';
COMMENT ON COLUMN runs.end_run_state_uuid IS 'State that ended it.';
COMMENT ON COLUMN runs.external_id IS 'Its id as its last event spells it.';
COMMENT ON COLUMN runs.namespace_name IS 'Namespace of its job.';
COMMENT ON COLUMN runs.job_name IS 'Name of its job.';
COMMENT ON COLUMN runs.location IS 'Where the source code lay, by its last event.';
COMMENT ON COLUMN runs.transitioned_at IS 'When it came to its state, in UTC.';
COMMENT ON COLUMN runs.started_at IS 'Time of the first event that had it running, in UTC.';
COMMENT ON COLUMN runs.ended_at IS 'Time of the last event that ended it, in UTC.';
COMMENT ON COLUMN runs.job_context_uuid IS 'Never set by OpenLineage events.';
COMMENT ON COLUMN runs.parent_run_uuid IS 'The run that started it, by the first event that names one.';
COMMENT ON COLUMN runs.job_uuid IS 'Its job, by its first event.';
COMMENT ON COLUMN runs.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.latest_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.nominal_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.state_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.start_event IS 'Order of the event that the earliest came from.';
COMMENT ON COLUMN runs.end_event IS 'Order of the event that the newest came from.';
COMMENT ON COLUMN runs.parent_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX runs_created_at_by_name_index IS 'Runs of a job, newest first, as the API lists them.';
COMMENT ON INDEX runs_created_at_index IS 'Newest runs of all jobs.';
COMMENT ON INDEX runs_job_uuid IS 'Last runs of a job by its id.';
COMMENT ON INDEX runs_job_version_uuid_index IS 'Runs of a job version; removal of it.';
COMMENT ON INDEX runs_parent_run_uuid_index IS 'Children of a run; removal of a run.';
COMMENT ON INDEX runs_start_run_state_uuid_index IS 'Removal of a run''s states.';
COMMENT ON INDEX runs_end_run_state_uuid_index IS 'Removal of a run''s states.';
COMMENT ON INDEX runs_run_args_uuid_index IS 'Removal of arguments that no run has.';

CREATE TABLE dataset_fields_tag_mapping (
    dataset_field_uuid uuid NOT NULL,
    tag_uuid uuid NOT NULL,
    tagged_at timestamp NOT NULL,
    is_reported boolean NOT NULL DEFAULT false,
    PRIMARY KEY (tag_uuid, dataset_field_uuid),
    FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE,
    FOREIGN KEY (tag_uuid) REFERENCES tags (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_fields_tag_mapping_dataset_field_uuid_index ON dataset_fields_tag_mapping (dataset_field_uuid);
COMMENT ON TABLE dataset_fields_tag_mapping IS 'The tags that events and people put on columns.';
COMMENT ON COLUMN dataset_fields_tag_mapping.dataset_field_uuid IS 'Column that bears the tag.';
COMMENT ON COLUMN dataset_fields_tag_mapping.tag_uuid IS 'Tag that it bears.';
COMMENT ON COLUMN dataset_fields_tag_mapping.tagged_at IS 'When a person put it there, or the time of the event that reports it, in UTC.';
COMMENT ON COLUMN dataset_fields_tag_mapping.is_reported IS 'Whether it comes from events. What people put there stays until people take it away.';
COMMENT ON INDEX dataset_fields_tag_mapping_dataset_field_uuid_index IS 'Tags of one column; removal of a column.';

CREATE TABLE dataset_schema_verdicts (
    dataset_uuid uuid NOT NULL,
    event_order bytea NOT NULL,
    version_uuid uuid NOT NULL,
    current_from timestamptz NOT NULL,
    verdict text NOT NULL,
    changes jsonb NOT NULL,
    refusals jsonb NOT NULL,
    fencing jsonb NOT NULL,
    history_uuid uuid,
    PRIMARY KEY (dataset_uuid, event_order),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (history_uuid) REFERENCES dataset_schema_histories (uuid) ON DELETE NO ACTION,
    CHECK (verdict IN ('first', 'unchanged', 'compatible', 'refused', 'unknown'))
);
CREATE INDEX dataset_schema_verdicts_version_index ON dataset_schema_verdicts (version_uuid);
CREATE INDEX dataset_schema_verdicts_history_index ON dataset_schema_verdicts (history_uuid);
COMMENT ON TABLE dataset_schema_verdicts IS 'What the schema of a dataset was to those before it, each time that a version which was written or declared became current. Each list has at most 1,000 members.';
COMMENT ON COLUMN dataset_schema_verdicts.dataset_uuid IS 'The dataset.';
COMMENT ON COLUMN dataset_schema_verdicts.event_order IS 'Order of the event that made the version current, as in the timeline.';
COMMENT ON COLUMN dataset_schema_verdicts.version_uuid IS 'The version.';
COMMENT ON COLUMN dataset_schema_verdicts.current_from IS 'Time of that event.';
COMMENT ON COLUMN dataset_schema_verdicts.verdict IS '`first`, `unchanged`, `compatible`, `refused`, or `unknown` without a schema.';
COMMENT ON COLUMN dataset_schema_verdicts.changes IS 'Changes that the rules permit: kind and path of each.';
COMMENT ON COLUMN dataset_schema_verdicts.refusals IS 'What is against the rules: path, rule and reason.';
COMMENT ON COLUMN dataset_schema_verdicts.fencing IS 'What fences a reader of all columns: path, rule and reason. Who reads none of these columns is not fenced.';
COMMENT ON COLUMN dataset_schema_verdicts.history_uuid IS 'What it was judged by; null if nothing was known.';
COMMENT ON INDEX dataset_schema_verdicts_version_index IS 'Verdicts on a version.';
COMMENT ON INDEX dataset_schema_verdicts_history_index IS 'Whether a history is still needed.';

CREATE TABLE dataset_schema_versions_field_mapping (
    dataset_schema_version_uuid uuid NOT NULL,
    dataset_field_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_schema_version_uuid, dataset_field_uuid),
    FOREIGN KEY (dataset_schema_version_uuid) REFERENCES dataset_schema_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_schema_versions_field_mapping_field_index ON dataset_schema_versions_field_mapping (dataset_field_uuid);
COMMENT ON TABLE dataset_schema_versions_field_mapping IS 'The columns of each schema version.';
COMMENT ON COLUMN dataset_schema_versions_field_mapping.dataset_schema_version_uuid IS 'The schema version.';
COMMENT ON COLUMN dataset_schema_versions_field_mapping.dataset_field_uuid IS 'A column of it.';
COMMENT ON INDEX dataset_schema_versions_field_mapping_field_index IS 'Schema versions with a column; removal of a column.';

CREATE TABLE dataset_versions (
    uuid uuid NOT NULL,
    created_at timestamptz NOT NULL,
    dataset_uuid uuid,
    version uuid NOT NULL,
    run_uuid uuid,
    fields jsonb,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    dataset_schema_version_uuid uuid,
    first_event bytea,
    PRIMARY KEY (uuid),
    CONSTRAINT dataset_versions_version UNIQUE (version),
    FOREIGN KEY (dataset_uuid) REFERENCES datasets (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_schema_version_uuid) REFERENCES dataset_schema_versions (uuid) ON DELETE NO ACTION
);
CREATE INDEX dataset_versions_name ON dataset_versions (dataset_name, namespace_name, created_at DESC);
CREATE INDEX dataset_versions_run_uuid ON dataset_versions (run_uuid);
CREATE INDEX datasetversion_datasetid_idx ON dataset_versions (dataset_uuid);
CREATE INDEX dataset_versions_schema_version_index ON dataset_versions (dataset_schema_version_uuid, first_event NULLS FIRST, created_at);
COMMENT ON TABLE dataset_versions IS 'Each state of a dataset that a run wrote, a reader met first or an event declared.';
COMMENT ON COLUMN dataset_versions.uuid IS 'As version, unless Marquez gave another.';
COMMENT ON COLUMN dataset_versions.created_at IS 'Time of the first event that made it.';
COMMENT ON COLUMN dataset_versions.dataset_uuid IS 'Its dataset.';
COMMENT ON COLUMN dataset_versions.version IS 'Follows from its content, and its run.';
COMMENT ON COLUMN dataset_versions.run_uuid IS 'Run that wrote it; null if none did.';
COMMENT ON COLUMN dataset_versions.fields IS 'Its columns, with those within them, as the first event that made it lists them.';
COMMENT ON COLUMN dataset_versions.namespace_name IS 'Namespace of the name that the event used, as spelled.';
COMMENT ON COLUMN dataset_versions.dataset_name IS 'Name that the event used.';
COMMENT ON COLUMN dataset_versions.lifecycle_state IS 'Lifecycle facet; empty without one.';
COMMENT ON COLUMN dataset_versions.dataset_schema_version_uuid IS 'The schema version with all fields under which it was written or read.';
COMMENT ON COLUMN dataset_versions.first_event IS 'Order of the first event that made it, and the place of the mention; null of what Marquez made.';
COMMENT ON INDEX dataset_versions_name IS 'Versions of a dataset, newest first, as the API lists them.';
COMMENT ON INDEX dataset_versions_run_uuid IS 'What a run wrote.';
COMMENT ON INDEX datasetversion_datasetid_idx IS 'All versions of a dataset.';
COMMENT ON INDEX dataset_versions_schema_version_index IS 'Versions with a schema, the first one first; removal of a schema version.';

CREATE TABLE run_facets_kept_once (
    run_uuid uuid NOT NULL,
    name varchar(255) NOT NULL,
    facet_uuid uuid NOT NULL,
    event_time timestamptz NOT NULL,
    lineage_event_type varchar(64) NOT NULL,
    first_event bytea,
    PRIMARY KEY (run_uuid, name),
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE
);
CREATE INDEX run_facets_kept_once_facet_index ON run_facets_kept_once (facet_uuid);
COMMENT ON TABLE run_facets_kept_once IS 'The facets of which each run keeps that of its first event: plans of many megabytes, the same at each event.';
COMMENT ON COLUMN run_facets_kept_once.run_uuid IS 'The run.';
COMMENT ON COLUMN run_facets_kept_once.name IS 'The facet''s key.';
COMMENT ON COLUMN run_facets_kept_once.facet_uuid IS 'Its content, a row of `facets`.';
COMMENT ON COLUMN run_facets_kept_once.event_time IS 'Time of the event.';
COMMENT ON COLUMN run_facets_kept_once.lineage_event_type IS 'Type of the event; empty if it has none.';
COMMENT ON COLUMN run_facets_kept_once.first_event IS 'Order of the event that the earliest came from.';
COMMENT ON INDEX run_facets_kept_once_facet_index IS 'The runs that keep a content; whether any does.';

CREATE TABLE run_states (
    uuid uuid NOT NULL,
    transitioned_at timestamptz NOT NULL,
    run_uuid uuid,
    state varchar(64) NOT NULL,
    PRIMARY KEY (uuid),
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE
);
CREATE INDEX run_states_uuid_index ON run_states (run_uuid);
COMMENT ON TABLE run_states IS 'Each event that says what state its run is in.';
COMMENT ON COLUMN run_states.uuid IS 'Follows from the event.';
COMMENT ON COLUMN run_states.transitioned_at IS 'Time of the event.';
COMMENT ON COLUMN run_states.run_uuid IS 'The run.';
COMMENT ON COLUMN run_states.state IS 'RUNNING, COMPLETED, FAILED or ABORTED.';
COMMENT ON INDEX run_states_uuid_index IS 'States of a run.';

CREATE TABLE dataset_versions_field_mapping (
    dataset_version_uuid uuid NOT NULL,
    dataset_field_uuid uuid NOT NULL,
    PRIMARY KEY (dataset_version_uuid, dataset_field_uuid),
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_field_uuid) REFERENCES dataset_fields (uuid) ON DELETE CASCADE
);
CREATE INDEX dataset_versions_field_mapping_index ON dataset_versions_field_mapping (dataset_field_uuid);
COMMENT ON TABLE dataset_versions_field_mapping IS 'The columns of each dataset version, those of its readers'' schemas too; written beside the schema versions.';
COMMENT ON COLUMN dataset_versions_field_mapping.dataset_version_uuid IS 'The dataset version.';
COMMENT ON COLUMN dataset_versions_field_mapping.dataset_field_uuid IS 'A column of it.';
COMMENT ON INDEX dataset_versions_field_mapping_index IS 'Versions with a column, as the API''s column lineage asks; removal of a column.';

CREATE TABLE runs_input_mapping (
    run_uuid uuid NOT NULL,
    dataset_version_uuid uuid NOT NULL,
    PRIMARY KEY (run_uuid, dataset_version_uuid),
    FOREIGN KEY (run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE,
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE
);
CREATE INDEX runs_input_mapping_dataset_version_index ON runs_input_mapping (dataset_version_uuid);
COMMENT ON TABLE runs_input_mapping IS 'Which dataset versions a run read: at each of its events, the version that was current then.';
COMMENT ON COLUMN runs_input_mapping.run_uuid IS 'The run.';
COMMENT ON COLUMN runs_input_mapping.dataset_version_uuid IS 'A version that it read.';
COMMENT ON INDEX runs_input_mapping_dataset_version_index IS 'Runs that read a version; removal of a version.';

CREATE TABLE stream_versions (
    dataset_version_uuid uuid,
    schema_location varchar(255) NOT NULL,
    CONSTRAINT stream_versions_schema_location_key UNIQUE (schema_location),
    FOREIGN KEY (dataset_version_uuid) REFERENCES dataset_versions (uuid) ON DELETE CASCADE
);
CREATE UNIQUE INDEX stream_versions_dataset_version_index ON stream_versions (dataset_version_uuid);
COMMENT ON TABLE stream_versions IS 'Where the schema of a stream''s version is kept; only Marquez'' older API writes it.';
COMMENT ON COLUMN stream_versions.dataset_version_uuid IS 'Version of the stream.';
COMMENT ON COLUMN stream_versions.schema_location IS 'Address of its schema.';
COMMENT ON INDEX stream_versions_dataset_version_index IS 'A version has one row at most; removal of a dataset version.';

ALTER TABLE runs ADD FOREIGN KEY (start_run_state_uuid) REFERENCES run_states (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE runs ADD FOREIGN KEY (end_run_state_uuid) REFERENCES run_states (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;
ALTER TABLE runs ADD FOREIGN KEY (parent_run_uuid) REFERENCES runs (uuid) ON DELETE CASCADE DEFERRABLE INITIALLY DEFERRED;

CREATE UNLOGGED TABLE staging.dataset_column_lineages (
    part_id bigint NOT NULL,
    uuid uuid,
    pairs jsonb
);
COMMENT ON TABLE staging.dataset_column_lineages IS 'Rows for dataset_column_lineages that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.tags (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.tags IS 'Rows for tags that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.dataset_names (
    part_id bigint NOT NULL,
    uuid uuid,
    namespace_name varchar,
    name varchar,
    claimed_by uuid,
    created_at timestamptz,
    namespace_uuid uuid,
    source_uuid uuid,
    source_name varchar,
    updated_at timestamptz,
    description text,
    is_deleted boolean,
    first_claim bytea,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.dataset_names IS 'Rows for dataset_names that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.owners (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging.owners IS 'Rows for owners that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.dataset_schemas (
    part_id bigint NOT NULL,
    uuid uuid,
    name_uuid uuid,
    own_name_uuid uuid,
    schema_version_uuid uuid,
    fields jsonb,
    keyed_fields jsonb,
    created_at timestamptz,
    updated_at timestamptz,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.dataset_schemas IS 'Rows for dataset_schemas that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.namespaces (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging.namespaces IS 'Rows for namespaces that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.sources (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    connection_url varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging.sources IS 'Rows for sources that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.event_ledger (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    is_complete boolean,
    makes_job_version boolean,
    location text,
    lineage_event_type varchar(64),
    run_facets_uuid uuid,
    job_facets_uuid uuid
);
COMMENT ON TABLE staging.event_ledger IS 'Rows for event_ledger that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.facet_sets (
    part_id bigint NOT NULL,
    uuid uuid,
    facets uuid[]
);
COMMENT ON TABLE staging.facet_sets IS 'Rows for facet_sets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.facets (
    part_id bigint NOT NULL,
    uuid uuid,
    name varchar(255),
    facet jsonb
);
COMMENT ON TABLE staging.facets IS 'Rows for facets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.parent_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    parent_run_uuid uuid,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    named_job_uuid uuid,
    local_job_uuid uuid,
    conflicting_run_uuid uuid,
    parent_job_name text,
    external_id text,
    is_streaming boolean,
    location text,
    says integer,
    state varchar(64),
    state_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp
);
COMMENT ON TABLE staging.parent_mentions IS 'Rows for parent_mentions that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.run_args (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    args text,
    checksum varchar(255),
    first_event bytea
);
COMMENT ON TABLE staging.run_args IS 'Rows for run_args that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.unreadable_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    producer text,
    name varchar(255),
    path text,
    reason text
);
COMMENT ON TABLE staging.unreadable_facets IS 'Rows for unreadable_facets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.dataset_symlinks (
    part_id bigint NOT NULL,
    dataset_uuid uuid,
    name varchar,
    namespace_uuid uuid,
    type varchar(64),
    is_primary boolean,
    created_at timestamp,
    updated_at timestamp,
    name_uuid uuid,
    first_event bytea
);
COMMENT ON TABLE staging.dataset_symlinks IS 'Rows for dataset_symlinks that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.jobs (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    namespace_uuid uuid,
    simple_name varchar,
    description text,
    namespace_name varchar,
    current_location varchar,
    current_inputs jsonb,
    parent_job_uuid_string character(36),
    name varchar,
    current_run_uuid uuid,
    latest_event bytea,
    first_event bytea,
    parent_event bytea
);
COMMENT ON TABLE staging.jobs IS 'Rows for jobs that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.job_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    job_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging.job_labels IS 'Rows for job_labels that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.dataset_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    dataset_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging.dataset_labels IS 'Rows for dataset_labels that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.dataset_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    role integer,
    event_order bytea,
    place integer,
    name_uuid uuid,
    event_time timestamptz,
    run_uuid uuid,
    own_version_uuid uuid,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    schema_uuid uuid,
    lineage_uuid uuid,
    lineage_event_type varchar(64),
    facets_uuid uuid,
    io_facets_uuid uuid,
    is_current_at_once boolean
);
COMMENT ON TABLE staging.dataset_mentions IS 'Rows for dataset_mentions that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.runs (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    run_args_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    current_run_state varchar(64),
    start_run_state_uuid uuid,
    end_run_state_uuid uuid,
    external_id varchar,
    namespace_name varchar,
    job_name varchar,
    location varchar,
    transitioned_at timestamp,
    started_at timestamp,
    ended_at timestamp,
    parent_run_uuid uuid,
    job_uuid uuid,
    first_event bytea,
    latest_event bytea,
    nominal_event bytea,
    state_event bytea,
    start_event bytea,
    end_event bytea,
    parent_event bytea
);
COMMENT ON TABLE staging.runs IS 'Rows for runs that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.run_facets_kept_once (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    run_uuid uuid,
    name varchar(255),
    facet_uuid uuid,
    event_time timestamptz,
    lineage_event_type varchar(64),
    first_event bytea
);
COMMENT ON TABLE staging.run_facets_kept_once IS 'Rows for run_facets_kept_once that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging.run_states (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    uuid uuid,
    transitioned_at timestamptz,
    run_uuid uuid,
    state varchar(64)
);
COMMENT ON TABLE staging.run_states IS 'Rows for run_states that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_column_lineages (
    part_id bigint NOT NULL,
    uuid uuid,
    pairs jsonb
);
COMMENT ON TABLE staging_2.dataset_column_lineages IS 'Rows for dataset_column_lineages that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.tags (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging_2.tags IS 'Rows for tags that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_names (
    part_id bigint NOT NULL,
    uuid uuid,
    namespace_name varchar,
    name varchar,
    claimed_by uuid,
    created_at timestamptz,
    namespace_uuid uuid,
    source_uuid uuid,
    source_name varchar,
    updated_at timestamptz,
    description text,
    is_deleted boolean,
    first_claim bytea,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging_2.dataset_names IS 'Rows for dataset_names that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.owners (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging_2.owners IS 'Rows for owners that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_schemas (
    part_id bigint NOT NULL,
    uuid uuid,
    name_uuid uuid,
    own_name_uuid uuid,
    schema_version_uuid uuid,
    fields jsonb,
    keyed_fields jsonb,
    created_at timestamptz,
    updated_at timestamptz,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging_2.dataset_schemas IS 'Rows for dataset_schemas that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.namespaces (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    first_event bytea
);
COMMENT ON TABLE staging_2.namespaces IS 'Rows for namespaces that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.sources (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    name varchar,
    connection_url varchar,
    first_event bytea,
    latest_event bytea
);
COMMENT ON TABLE staging_2.sources IS 'Rows for sources that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.event_ledger (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    is_complete boolean,
    makes_job_version boolean,
    location text,
    lineage_event_type varchar(64),
    run_facets_uuid uuid,
    job_facets_uuid uuid
);
COMMENT ON TABLE staging_2.event_ledger IS 'Rows for event_ledger that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.facet_sets (
    part_id bigint NOT NULL,
    uuid uuid,
    facets uuid[]
);
COMMENT ON TABLE staging_2.facet_sets IS 'Rows for facet_sets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.facets (
    part_id bigint NOT NULL,
    uuid uuid,
    name varchar(255),
    facet jsonb
);
COMMENT ON TABLE staging_2.facets IS 'Rows for facets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.parent_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    parent_run_uuid uuid,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    named_job_uuid uuid,
    local_job_uuid uuid,
    conflicting_run_uuid uuid,
    parent_job_name text,
    external_id text,
    is_streaming boolean,
    location text,
    says integer,
    state varchar(64),
    state_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp
);
COMMENT ON TABLE staging_2.parent_mentions IS 'Rows for parent_mentions that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.run_args (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamp,
    args text,
    checksum varchar(255),
    first_event bytea
);
COMMENT ON TABLE staging_2.run_args IS 'Rows for run_args that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.unreadable_facets (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    event_order bytea,
    event_time timestamptz,
    run_uuid uuid,
    producer text,
    name varchar(255),
    path text,
    reason text
);
COMMENT ON TABLE staging_2.unreadable_facets IS 'Rows for unreadable_facets that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_symlinks (
    part_id bigint NOT NULL,
    dataset_uuid uuid,
    name varchar,
    namespace_uuid uuid,
    type varchar(64),
    is_primary boolean,
    created_at timestamp,
    updated_at timestamp,
    name_uuid uuid,
    first_event bytea
);
COMMENT ON TABLE staging_2.dataset_symlinks IS 'Rows for dataset_symlinks that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.jobs (
    part_id bigint NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    updated_at timestamptz,
    namespace_uuid uuid,
    simple_name varchar,
    description text,
    namespace_name varchar,
    current_location varchar,
    current_inputs jsonb,
    parent_job_uuid_string character(36),
    name varchar,
    current_run_uuid uuid,
    latest_event bytea,
    first_event bytea,
    parent_event bytea
);
COMMENT ON TABLE staging_2.jobs IS 'Rows for jobs that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.job_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    job_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging_2.job_labels IS 'Rows for job_labels that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_labels (
    part_id bigint NOT NULL,
    uuid uuid,
    dataset_uuid uuid,
    tags jsonb,
    tags_reported_at timestamptz,
    owners jsonb,
    owners_reported_at timestamptz,
    tags_event bytea,
    owners_event bytea
);
COMMENT ON TABLE staging_2.dataset_labels IS 'Rows for dataset_labels that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.dataset_mentions (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    role integer,
    event_order bytea,
    place integer,
    name_uuid uuid,
    event_time timestamptz,
    run_uuid uuid,
    own_version_uuid uuid,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    schema_uuid uuid,
    lineage_uuid uuid,
    lineage_event_type varchar(64),
    facets_uuid uuid,
    io_facets_uuid uuid,
    is_current_at_once boolean
);
COMMENT ON TABLE staging_2.dataset_mentions IS 'Rows for dataset_mentions that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.runs (
    part_id bigint NOT NULL,
    uuid uuid,
    created_at timestamptz,
    updated_at timestamptz,
    run_args_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    current_run_state varchar(64),
    start_run_state_uuid uuid,
    end_run_state_uuid uuid,
    external_id varchar,
    namespace_name varchar,
    job_name varchar,
    location varchar,
    transitioned_at timestamp,
    started_at timestamp,
    ended_at timestamp,
    parent_run_uuid uuid,
    job_uuid uuid,
    first_event bytea,
    latest_event bytea,
    nominal_event bytea,
    state_event bytea,
    start_event bytea,
    end_event bytea,
    parent_event bytea
);
COMMENT ON TABLE staging_2.runs IS 'Rows for runs that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.run_facets_kept_once (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    run_uuid uuid,
    name varchar(255),
    facet_uuid uuid,
    event_time timestamptz,
    lineage_event_type varchar(64),
    first_event bytea
);
COMMENT ON TABLE staging_2.run_facets_kept_once IS 'Rows for run_facets_kept_once that wait for their merge; emptied by a crash.';

CREATE UNLOGGED TABLE staging_2.run_states (
    part_id bigint NOT NULL,
    event_no integer NOT NULL,
    uuid uuid,
    transitioned_at timestamptz,
    run_uuid uuid,
    state varchar(64)
);
COMMENT ON TABLE staging_2.run_states IS 'Rows for run_states that wait for their merge; emptied by a crash.';

CREATE SEQUENCE changes.change_numbers;

CREATE TABLE changes.column_lineage_pairs (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    pairs_uuid uuid,
    output_dataset_field_uuid uuid,
    input_dataset_field_uuid uuid,
    transformation_description text,
    transformation_type varchar(255),
    created_at timestamptz
);
COMMENT ON TABLE changes.column_lineage_pairs IS 'Changes of column_lineage_pairs that wait for their publication.';
COMMENT ON COLUMN changes.column_lineage_pairs.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.column_lineage_pairs.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.column_lineage_pairs.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.column_lineage_versions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    output_dataset_version_uuid uuid,
    input_dataset_version_uuid uuid,
    pairs_uuid uuid,
    created_at timestamptz
);
COMMENT ON TABLE changes.column_lineage_versions IS 'Changes of column_lineage_versions that wait for their publication.';
COMMENT ON COLUMN changes.column_lineage_versions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.column_lineage_versions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.column_lineage_versions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_fields (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    type text,
    created_at timestamptz,
    dataset_uuid uuid,
    name varchar(255),
    description text
);
COMMENT ON TABLE changes.dataset_fields IS 'Changes of dataset_fields that wait for their publication.';
COMMENT ON COLUMN changes.dataset_fields.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_fields.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_fields.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_fields_tag_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_field_uuid uuid,
    tag_uuid uuid,
    tagged_at timestamp,
    is_reported boolean
);
COMMENT ON TABLE changes.dataset_fields_tag_mapping IS 'Changes of dataset_fields_tag_mapping that wait for their publication.';
COMMENT ON COLUMN changes.dataset_fields_tag_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_fields_tag_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_fields_tag_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_mentions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_uuid uuid,
    role integer,
    event_time timestamptz,
    run_uuid uuid,
    version_uuid uuid,
    lineage_event_type varchar(64),
    facets_uuid uuid,
    io_facets_uuid uuid,
    is_purged boolean
);
COMMENT ON TABLE changes.dataset_mentions IS 'Changes of dataset_mentions that wait for their publication.';
COMMENT ON COLUMN changes.dataset_mentions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_mentions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_mentions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_ownerships (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_uuid uuid,
    owner_uuid uuid,
    type varchar,
    reported_at timestamptz
);
COMMENT ON TABLE changes.dataset_ownerships IS 'Changes of dataset_ownerships that wait for their publication.';
COMMENT ON COLUMN changes.dataset_ownerships.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_ownerships.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_ownerships.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_schema_verdicts (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_uuid uuid,
    event_order bytea,
    version_uuid uuid,
    current_from timestamptz,
    verdict text,
    changes text,
    refusals text,
    fencing text
);
COMMENT ON TABLE changes.dataset_schema_verdicts IS 'Changes of dataset_schema_verdicts that wait for their publication.';
COMMENT ON COLUMN changes.dataset_schema_verdicts.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_schema_verdicts.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_schema_verdicts.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_schema_versions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    dataset_uuid uuid,
    created_at timestamptz
);
COMMENT ON TABLE changes.dataset_schema_versions IS 'Changes of dataset_schema_versions that wait for their publication.';
COMMENT ON COLUMN changes.dataset_schema_versions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_schema_versions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_schema_versions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_schema_versions_field_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_schema_version_uuid uuid,
    dataset_field_uuid uuid
);
COMMENT ON TABLE changes.dataset_schema_versions_field_mapping IS 'Changes of dataset_schema_versions_field_mapping that wait for their publication.';
COMMENT ON COLUMN changes.dataset_schema_versions_field_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_schema_versions_field_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_schema_versions_field_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_symlinks (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_uuid uuid,
    name varchar,
    namespace_uuid uuid,
    type varchar(64),
    is_primary boolean,
    created_at timestamp
);
COMMENT ON TABLE changes.dataset_symlinks IS 'Changes of dataset_symlinks that wait for their publication.';
COMMENT ON COLUMN changes.dataset_symlinks.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_symlinks.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_symlinks.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.dataset_versions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamptz,
    dataset_uuid uuid,
    version uuid,
    run_uuid uuid,
    fields text,
    namespace_name varchar,
    dataset_name varchar,
    lifecycle_state varchar(63),
    dataset_schema_version_uuid uuid
);
COMMENT ON TABLE changes.dataset_versions IS 'Changes of dataset_versions that wait for their publication.';
COMMENT ON COLUMN changes.dataset_versions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.dataset_versions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.dataset_versions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.datasets (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    namespace_uuid uuid,
    source_uuid uuid,
    name varchar,
    physical_name varchar,
    description text,
    current_version_uuid uuid,
    last_modified_at timestamp,
    namespace_name varchar,
    source_name varchar,
    is_deleted boolean,
    is_hidden boolean
);
COMMENT ON TABLE changes.datasets IS 'Changes of datasets that wait for their publication.';
COMMENT ON COLUMN changes.datasets.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.datasets.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.datasets.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.datasets_tag_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_uuid uuid,
    tag_uuid uuid,
    tagged_at timestamp,
    is_reported boolean
);
COMMENT ON TABLE changes.datasets_tag_mapping IS 'Changes of datasets_tag_mapping that wait for their publication.';
COMMENT ON COLUMN changes.datasets_tag_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.datasets_tag_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.datasets_tag_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.event_ledger (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    event_time timestamptz,
    run_uuid uuid,
    job_uuid uuid,
    lineage_event_type varchar(64),
    run_facets_uuid uuid,
    job_facets_uuid uuid
);
COMMENT ON TABLE changes.event_ledger IS 'Changes of event_ledger that wait for their publication.';
COMMENT ON COLUMN changes.event_ledger.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.event_ledger.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.event_ledger.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.facet_sets (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    facets uuid[]
);
COMMENT ON TABLE changes.facet_sets IS 'Changes of facet_sets that wait for their publication.';
COMMENT ON COLUMN changes.facet_sets.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.facet_sets.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.facet_sets.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.facets (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    name varchar(255),
    facet text
);
COMMENT ON TABLE changes.facets IS 'Changes of facets that wait for their publication.';
COMMENT ON COLUMN changes.facets.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.facets.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.facets.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.job_ownerships (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    job_uuid uuid,
    owner_uuid uuid,
    type varchar,
    reported_at timestamptz
);
COMMENT ON TABLE changes.job_ownerships IS 'Changes of job_ownerships that wait for their publication.';
COMMENT ON COLUMN changes.job_ownerships.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.job_ownerships.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.job_ownerships.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.job_versions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamptz,
    job_uuid uuid,
    version uuid,
    location varchar,
    latest_run_uuid uuid,
    job_context_uuid uuid,
    namespace_uuid uuid,
    namespace_name varchar,
    job_name varchar
);
COMMENT ON TABLE changes.job_versions IS 'Changes of job_versions that wait for their publication.';
COMMENT ON COLUMN changes.job_versions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.job_versions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.job_versions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.job_versions_io_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    job_version_uuid uuid,
    dataset_uuid uuid,
    io_type varchar(64),
    job_uuid uuid,
    job_symlink_target_uuid uuid,
    is_current_job_version boolean,
    made_current_at timestamp
);
COMMENT ON TABLE changes.job_versions_io_mapping IS 'Changes of job_versions_io_mapping that wait for their publication.';
COMMENT ON COLUMN changes.job_versions_io_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.job_versions_io_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.job_versions_io_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.jobs (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    namespace_uuid uuid,
    simple_name varchar,
    description text,
    current_version_uuid uuid,
    namespace_name varchar,
    current_job_context_uuid uuid,
    current_location varchar,
    current_inputs text,
    symlink_target_uuid uuid,
    parent_job_uuid uuid,
    parent_job_uuid_string character(36),
    is_hidden boolean,
    name varchar,
    aliases varchar[],
    current_run_uuid uuid
);
COMMENT ON TABLE changes.jobs IS 'Changes of jobs that wait for their publication.';
COMMENT ON COLUMN changes.jobs.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.jobs.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.jobs.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.jobs_fqn (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    namespace_uuid uuid,
    namespace_name varchar,
    parent_job_name varchar,
    aliases varchar[],
    job_fqn varchar
);
COMMENT ON TABLE changes.jobs_fqn IS 'Changes of jobs_fqn that wait for their publication.';
COMMENT ON COLUMN changes.jobs_fqn.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.jobs_fqn.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.jobs_fqn.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.jobs_tag_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    job_uuid uuid,
    tag_uuid uuid,
    tagged_at timestamptz,
    is_reported boolean
);
COMMENT ON TABLE changes.jobs_tag_mapping IS 'Changes of jobs_tag_mapping that wait for their publication.';
COMMENT ON COLUMN changes.jobs_tag_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.jobs_tag_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.jobs_tag_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.namespace_ownerships (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    started_at timestamp,
    ended_at timestamp,
    namespace_uuid uuid,
    owner_uuid uuid
);
COMMENT ON TABLE changes.namespace_ownerships IS 'Changes of namespace_ownerships that wait for their publication.';
COMMENT ON COLUMN changes.namespace_ownerships.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.namespace_ownerships.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.namespace_ownerships.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.namespaces (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamptz,
    name varchar,
    description text,
    current_owner_name varchar,
    is_hidden boolean
);
COMMENT ON TABLE changes.namespaces IS 'Changes of namespaces that wait for their publication.';
COMMENT ON COLUMN changes.namespaces.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.namespaces.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.namespaces.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.owners (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamp,
    name varchar
);
COMMENT ON TABLE changes.owners IS 'Changes of owners that wait for their publication.';
COMMENT ON COLUMN changes.owners.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.owners.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.owners.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.run_args (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamp,
    args text,
    checksum varchar(255)
);
COMMENT ON TABLE changes.run_args IS 'Changes of run_args that wait for their publication.';
COMMENT ON COLUMN changes.run_args.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.run_args.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.run_args.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.run_facets_kept_once (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    run_uuid uuid,
    facet_uuid uuid,
    event_time timestamptz,
    lineage_event_type varchar(64)
);
COMMENT ON TABLE changes.run_facets_kept_once IS 'Changes of run_facets_kept_once that wait for their publication.';
COMMENT ON COLUMN changes.run_facets_kept_once.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.run_facets_kept_once.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.run_facets_kept_once.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.run_states (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    transitioned_at timestamptz,
    run_uuid uuid,
    state varchar(64)
);
COMMENT ON TABLE changes.run_states IS 'Changes of run_states that wait for their publication.';
COMMENT ON COLUMN changes.run_states.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.run_states.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.run_states.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.runs (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamptz,
    job_version_uuid uuid,
    run_args_uuid uuid,
    nominal_start_time timestamp,
    nominal_end_time timestamp,
    current_run_state varchar(64),
    start_run_state_uuid uuid,
    end_run_state_uuid uuid,
    external_id varchar,
    namespace_name varchar,
    job_name varchar,
    location varchar,
    transitioned_at timestamp,
    started_at timestamp,
    ended_at timestamp,
    job_context_uuid uuid,
    parent_run_uuid uuid,
    job_uuid uuid
);
COMMENT ON TABLE changes.runs IS 'Changes of runs that wait for their publication.';
COMMENT ON COLUMN changes.runs.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.runs.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.runs.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.runs_input_mapping (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    run_uuid uuid,
    dataset_version_uuid uuid
);
COMMENT ON TABLE changes.runs_input_mapping IS 'Changes of runs_input_mapping that wait for their publication.';
COMMENT ON COLUMN changes.runs_input_mapping.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.runs_input_mapping.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.runs_input_mapping.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.sources (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    type varchar(64),
    created_at timestamptz,
    name varchar,
    connection_url varchar,
    description text
);
COMMENT ON TABLE changes.sources IS 'Changes of sources that wait for their publication.';
COMMENT ON COLUMN changes.sources.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.sources.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.sources.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.stream_versions (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    dataset_version_uuid uuid,
    schema_location varchar(255)
);
COMMENT ON TABLE changes.stream_versions IS 'Changes of stream_versions that wait for their publication.';
COMMENT ON COLUMN changes.stream_versions.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.stream_versions.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.stream_versions.copies IS 'How many rows came, or, below 0, went.';

CREATE TABLE changes.tags (
    change_xid xid8 NOT NULL,
    change_number bigint NOT NULL,
    copies integer NOT NULL,
    uuid uuid,
    created_at timestamptz,
    name varchar,
    description text
);
COMMENT ON TABLE changes.tags IS 'Changes of tags that wait for their publication.';
COMMENT ON COLUMN changes.tags.change_xid IS 'The transaction.';
COMMENT ON COLUMN changes.tags.change_number IS 'In the order in which statements ended.';
COMMENT ON COLUMN changes.tags.copies IS 'How many rows came, or, below 0, went.';

-- The migrations that Marquez 0.51.1 has run on a database of its own, with their checksums: its server compares them with
-- those that it brings along, and starts only if none is missing.
INSERT INTO flyway_schema_history (installed_rank, version, description, type, script, checksum, installed_by,
    execution_time, success)
SELECT known.*, current_user, 0, true
FROM (VALUES
    (1, '1', 'initial schema', 'SQL', 'V1__initial_schema.sql', -921782407),
    (2, '2', 'add job contexts', 'SQL', 'V2__add_job_contexts.sql', 1525195745),
    (3, '2.1', 'alter job versions to add job context uuid', 'SQL', 'V2.1__alter_job_versions_to_add_job_context_uuid.sql', 833638402),
    (4, '3', 'drop not null constraint on job location', 'SQL', 'V3__drop_not_null_constraint_on_job_location.sql', 1184659361),
    (5, '4', 'add dataset fields', 'SQL', 'V4__add_dataset_fields.sql', -841855062),
    (6, '5', 'add tags', 'SQL', 'V5__add_tags.sql', 945574130),
    (7, '6', 'alter datasets to add last modified', 'SQL', 'V6__alter_datasets_to_add_last_modified.sql', -1297552873),
    (8, '7', 'alter run args to change args', 'SQL', 'V7__alter_run_args_to_change_args.sql', 1621134934),
    (9, '8', 'alter datasets to change unique constraint', 'SQL', 'V8__alter_datasets_to_change_unique_constraint.sql', -274263847),
    (10, '9', 'alter sources to drop composite unique constraint', 'SQL', 'V9__alter_sources_to_drop_composite_unique_constraint.sql', 1228944163),
    (11, '10', 'drop unique constraint on job name', 'SQL', 'V10__drop_unique_constraint_on_job_name.sql', -1745305856),
    (12, '11', 'alter datasets to rename last modified', 'SQL', 'V11__alter_datasets_to_rename_last_modified.sql', 1762189841),
    (13, '12', 'alter dataset fields to change unique constraint', 'SQL', 'V12__alter_dataset_fields_to_change_unique_constraint.sql', 426451342),
    (14, '13', 'alter run add start end state', 'SQL', 'V13__alter_run_add_start_end_state.sql', 1494916884),
    (15, '14', 'index datasetversion datasetid', 'SQL', 'V14__index_datasetversion_datasetid.sql', -890431442),
    (16, '15', 'index created at and current run state on runs', 'SQL', 'V15__index_created_at_and_current_run_state_on_runs.sql', 1840677676),
    (17, '16', 'index created at on runs', 'SQL', 'V16__index_created_at_on_runs.sql', -1472007075),
    (18, '17.1', 'unique version constraint', 'SQL', 'V17.1__unique_version_constraint.sql', -1683915240),
    (19, '17.2', 'open lineage', 'SQL', 'V17.2__open_lineage.sql', 945111304),
    (20, '18', 'drop dataset constraint', 'SQL', 'V18__drop_dataset_constraint.sql', 1504693058),
    (21, '19', 'alter run to add external id', 'SQL', 'V19__alter_run_to_add_external_id.sql', -369833841),
    (22, '20', 'drop lineage pk', 'SQL', 'V20__drop_lineage_pk.sql', -1877159384),
    (23, '21', 'alter jobs to add namespace name', 'SQL', 'V21__alter_jobs_to_add_namespace_name.sql', -919302325),
    (24, '22', 'alter job versions to add namespace', 'SQL', 'V22__alter_job_versions_to_add_namespace.sql', -535116172),
    (25, '23', 'alter runs', 'SQL', 'V23__alter_runs.sql', -363712368),
    (26, '24', 'alter jobs', 'SQL', 'V24__alter_jobs.sql', -524338248),
    (27, '25', 'alter datasets', 'SQL', 'V25__alter_datasets.sql', 55757231),
    (28, '26', 'alter jobs change type', 'SQL', 'V26__alter_jobs_change_type.sql', 1039175377),
    (29, '27', 'alter runs add context', 'SQL', 'V27__alter_runs_add_context.sql', 1637041199),
    (30, '28', 'update jobs fix inputs', 'SQL', 'V28__update_jobs_fix_inputs.sql', -215425507),
    (31, '29', 'alter dataset versions add fields', 'SQL', 'V29__alter_dataset_versions_add_fields.sql', -770293930),
    (32, '30', 'alter runs change transitioned at type', 'SQL', 'V30__alter_runs_change_transitioned_at_type.sql', -1874998530),
    (33, '31', 'alter job io mapping', 'SQL', 'V31__alter_job_io_mapping.sql', -2142178694),
    (34, '32', 'index runs created at', 'SQL', 'V32__index_runs_created_at.sql', -247244423),
    (35, '33', 'index lineage events run id', 'SQL', 'V33__index_lineage_events_run_id.sql', 672120446),
    (36, '34', 'drop not null constraint on field type', 'SQL', 'V34__drop_not_null_constraint_on_field_type.sql', 152166653),
    (37, '35', 'drop io mapping tables', 'SQL', 'V35__drop_io_mapping_tables.sql', 1080042727),
    (38, '36', 'drop run id column in lineage events', 'SQL', 'V36__drop_run_id_column_in_lineage_events.sql', 20168387),
    (39, '37', 'alter dataset fields to change type', 'SQL', 'V37__alter_dataset_fields_to_change_type.sql', -19119809),
    (40, '38', 'alter namespaces to resize name', 'SQL', 'V38__alter_namespaces_to_resize_name.sql', 820604654),
    (41, '39', 'alter sources to resize name', 'SQL', 'V39__alter_sources_to_resize_name.sql', -1021664104),
    (42, '40', 'alter tables resize namespace and connection url', 'SQL', 'V40__alter_tables_resize_namespace_and_connection_url.sql', -950361504),
    (43, '41', 'add operation to dataset versions', 'SQL', 'V41__add_operation_to_dataset_versions.sql', -682333581),
    (44, '42', 'add job symlink target', 'SQL', 'V42__add_job_symlink_target.sql', -1663913980),
    (45, '43', 'alter jobs add job parent uuid', 'SQL', 'V43__alter_jobs_add_job_parent_uuid.sql', -1693885891),
    (46, '44', 'runs job versions add job uuid', 'SQL', 'V44__runs_job_versions_add_job_uuid.sql', -1875331912),
    (47, '44.1', 'UpdateRunsWithJobUUID', 'JDBC', 'marquez.db.migrations.V44_1__UpdateRunsWithJobUUID', NULL),
    (48, '44.2', 'BackfillAirflowParentRuns', 'JDBC', 'marquez.db.migrations.V44_2__BackfillAirflowParentRuns', NULL),
    (49, '44.3', 'BackfillJobsWithParents', 'JDBC', 'marquez.db.migrations.V44_3_BackfillJobsWithParents', NULL),
    (50, '45', 'update jobs view rule', 'SQL', 'V45__update_jobs_view_rule.sql', -280915853),
    (51, '46', 'add hidden column to jobs and datasets', 'SQL', 'V46__add_hidden_column_to_jobs_and_datasets.sql', -2093687670),
    (52, '47', 'add lineage event indexes', 'SQL', 'V47__add_lineage_event_indexes.sql', -879937579),
    (53, '48', 'dataset symlinks', 'SQL', 'V48__dataset_symlinks.sql', 482425120),
    (54, '49', 'column lineage', 'SQL', 'V49__column_lineage.sql', 1468403123),
    (55, '50', 'index dataset fields', 'SQL', 'V50__index_dataset_fields.sql', -721291678),
    (56, '51', 'job indices for lineage', 'SQL', 'V51__job_indices_for_lineage.sql', -321641419),
    (57, '52', 'alter dataset symlinks', 'SQL', 'V52__alter_dataset_symlinks.sql', -1124200827),
    (58, '53', 'add hidden namespace', 'SQL', 'V53__add_hidden_namespace.sql', 1981830490),
    (59, '54', 'lineage events created at indexed', 'SQL', 'V54__lineage_events_created_at_indexed.sql', 294446229),
    (60, '55.1', 'add dataset facets', 'SQL', 'V55.1__add_dataset_facets.sql', -303536951),
    (61, '55.2', 'add job facets', 'SQL', 'V55.2__add_job_facets.sql', -1695069988),
    (62, '55.3', 'add run facets', 'SQL', 'V55.3__add_run_facets.sql', 908415319),
    (63, '56.1', 'CreateFacetViews', 'JDBC', 'marquez.db.migrations.V56_1__FacetViews', NULL),
    (64, '57.1', 'add migration lock', 'SQL', 'V57.1__add_migration_lock.sql', 911615881),
    (65, '57.2', 'BackFillFacets', 'JDBC', 'marquez.db.migrations.V57_1__BackfillFacets', NULL),
    (66, '58', 'job fqn name index', 'SQL', 'V58__job_fqn_name_index.sql', 736537797),
    (67, '59.1', 'column lineage add indexes', 'SQL', 'V59.1__column_lineage_add_indexes.sql', 1323222333),
    (68, '59.2', 'facet tables indexes', 'SQL', 'V59.2__facet_tables_indexes.sql', 631441114),
    (69, '60', 'alter job versions to drop job context uuid', 'SQL', 'V60__alter_job_versions_to_drop_job_context_uuid.sql', -832590658),
    (70, '61', 'unique job fqn index', 'SQL', 'V61__unique_job_fqn_index.sql', 1013431334),
    (71, '62', 'index run states and parent run', 'SQL', 'V62__index_run_states_and_parent_run.sql', 2137151132),
    (72, '63', 'alter tables add on cascade delete', 'SQL', 'V63__alter_tables_add_on_cascade_delete.sql', -384924584),
    (73, '64', 'drop job contexts', 'SQL', 'V64__drop_job_contexts.sql', 1890655831),
    (74, '65', 'alter dataset facets to change lineage event type as nullable', 'SQL', 'V65__alter_dataset_facets_to_change_lineage_event_type_as_nullable.sql', 956857703),
    (75, '66.1', 'alter job facets', 'SQL', 'V66.1__alter_job_facets.sql', 395625083),
    (76, '66.2', 'alter lineage events add event type', 'SQL', 'V66.2__alter_lineage_events_add_event_type.sql', -751594947),
    (77, '66.3', 'BackfillJobFacetsWithJobVersion', 'JDBC', 'marquez.db.migrations.V66_3_JobFacetsBackfillJobVersion', NULL),
    (78, '67.1', 'job versions io mapping add job reference', 'SQL', 'V67.1__job_versions_io_mapping_add_job_reference.sql', 17211553),
    (79, '67.2', 'Back fill job_uuid and is_current_job_version in job_versions_io_mapping table', 'JDBC', 'marquez.db.migrations.V67_2_JobVersionsIOMappingBackfillJob', NULL),
    (80, '68', 'add jobs tag mapping', 'SQL', 'V68__add_jobs_tag_mapping.sql', 141423548),
    (81, '69.1', 'dataset schema versions table', 'SQL', 'V69.1__dataset_schema_versions_table.sql', -1811758823),
    (82, '69.2', 'dataset schema versions field mapping table', 'SQL', 'V69.2__dataset_schema_versions_field_mapping_table.sql', 700666937),
    (83, '69.3', 'dataset versions new column', 'SQL', 'V69.3__dataset_versions_new_column.sql', -10728884),
    (84, '70', 'alter job facets', 'SQL', 'V70__alter_job_facets.sql', 1277808136),
    (85, '71', 'add mat views lineage metrics', 'SQL', 'V71__add_mat_views_lineage_metrics.sql', 1919336054),
    (86, '72', 'drop daily mat view lineage metrics', 'SQL', 'V72__drop_daily_mat_view_lineage_metrics.sql', 84539992),
    (87, '73', 'alter all timestamps to timestamptz', 'SQL', 'V73__alter_all_timestamps_to_timestamptz.sql', -372751917),
    (88, '74', 'alter jobs to add current run uuid', 'SQL', 'V74__alter_jobs_to_add_current_run_uuid.sql', -1793850990),
    (89, NULL, 'Datasets view', 'SQL', 'R__Datasets_view.sql', 1933526708),
    (90, NULL, 'Jobs view and rewrite function', 'SQL', 'R__Jobs_view_and_rewrite_function.sql', 1362284566),
    (91, NULL, 'Runs view', 'SQL', 'R__Runs_view.sql', 1385463323)
) AS known (installed_rank, version, description, type, script, checksum)
ON CONFLICT DO NOTHING;

-- The namespace that Marquez' server makes when it starts, unless it is there, with a uuid of chance. Its times are of no clock: two
-- stores with the same events are equal.
INSERT INTO namespaces (uuid, created_at, updated_at, name, description)
VALUES (
    'cd044186-41b0-861c-ba61-d52d321c5d98',
    '1970-01-01Z',
    '1970-01-01Z',
    'default',
    'The default global namespace for dataset, job, and run metadata not belonging to a user-specified namespace.'
);

-- A materialized view is filled when it is made.
INSERT INTO refreshed_views (name, refreshed_at) VALUES ('lineage_events_by_type_hourly_view', now());

-- What a new store keeps: raw events and runs for 30 days, versions for 30 days but always the last 10, quarantine for 90 days.
-- Jobs and datasets stay. Contents go when nothing names them. Nothing is deleted before somebody applies this.
INSERT INTO retention_policies (kind, namespace_pattern, older_than, keep_last)
VALUES
    ('raw-events', '*', '30 days', NULL),
    ('runs', '*', '30 days', NULL),
    ('versions', '*', '30 days', 10),
    ('quarantine', '*', '90 days', NULL),
    ('contents', '*', '1 day', NULL);
