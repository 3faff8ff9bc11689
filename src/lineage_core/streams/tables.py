"""The tables of changelog streams: which are on, and what of them is published."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith
from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    DEFAULT,
    INTEGER,
    JSONB,
    KEY,
    OPERATOR,
    PLATFORM,
    SNAPSHOT,
    TEXT,
    TEXTS,
    TIMESTAMPTZ,
    UNFILLED,
    UUID,
    Column,
    Index,
    Reference,
    Table,
    TableStream,
    Type,
    Unique,
    varchar,
)

STREAMS = Table(
    name="streams",
    doc="The changelog streams that are on: one that has a row here is captured, and published.",
    open_to_operators=True,
    columns=(
        Column("name", TEXT, OPERATOR, "The stream, named for its table or view.", nullable=False),
        Column("started_by", TEXT, DEFAULT, "Login that started it.", nullable=False, default="session_user"),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
        Column(
            "started_xid",
            BIGINT,
            DEFAULT,
            "Transaction that started it, which distinguishes one start from another.",
            nullable=False,
            default="(pg_current_xact_id()::text)::bigint",
        ),
    ),
    primary_key=("name",),
)

STREAM_POLICIES = Table(
    name="stream_policies",
    doc="What the evolution of a changelog stream's schema may do to its readers; without a row, anything permitted.",
    columns=(
        Column("stream", TEXT, OPERATOR, "The stream.", nullable=False),
        Column(
            "allow",
            TEXT,
            OPERATOR,
            "`any`, or `not_fencing`: a change that would fence a reader in `stream_readers` is refused.",
            nullable=False,
        ),
        Column("set_by", TEXT, DEFAULT, "Login that set it.", nullable=False, default="session_user"),
        Column("set_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("stream",),
    checks=("allow IN ('any', 'not_fencing')",),
    open_to_operators=True,
)

STREAM_VERSIONS = Table(
    name="stream_versions",
    doc="Where the schema of a stream's version is kept; only Marquez' older API writes it.",
    columns=(
        Column(
            "dataset_version_uuid",
            UUID,
            UNFILLED,
            "Version of the stream.",
            reference=Reference("dataset_versions"),
        ),
        Column("schema_location", varchar(255), UNFILLED, "Address of its schema.", nullable=False),
    ),
    unique=(Unique(("schema_location",), "stream_versions_schema_location_key"),),
    indexes=(
        Index(
            "stream_versions_dataset_version_index",
            "(dataset_version_uuid)",
            "A version has one row at most; removal of a dataset version.",
            unique=True,
        ),
    ),
    stream=TableStream(has_key=False),
    retention=(GoesWith("dataset_versions", "dataset_version_uuid"),),
)

STREAM_SCHEMAS = Table(
    name="stream_schemas",
    doc="The schemas that the data of each changelog stream has had, in their order. A row is never changed.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("schema_id", INTEGER, KEY, "Number of the schema, from 0 without a gap.", nullable=False),
        Column(
            "migration_type",
            JSONB,
            PLATFORM,
            "Name, type and nullability of each data column, in order, also of each that was ever deleted.",
            nullable=False,
        ),
        Column("key", TEXTS, PLATFORM, "The data columns that name a row; empty if none do.", nullable=False),
        Column("registered_at", TIMESTAMPTZ, DEFAULT, "When it became the latest.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "schema_id"),
    checks=("schema_id >= 0",),
    shown_to_operators=True,
)

STREAM_HEADS = Table(
    name="stream_heads",
    doc="How far each changelog stream is published. It stays when a stream is stopped.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("started_xid", BIGINT, PLATFORM, "The start that `published` belongs to.", nullable=False),
        Column(
            "waits_for",
            BIGINT,
            PLATFORM,
            "Transactions below this number may have missed that start. What is there is read when all have ended.",
            nullable=False,
        ),
        Column("published", SNAPSHOT, PLATFORM, "All changes that it sees are published; null before the first time."),
        Column(
            "system_identifier",
            BIGINT,
            PLATFORM,
            "Cluster that the snapshot was taken in; in any other it means nothing.",
            nullable=False,
        ),
        Column("next_offset", BIGINT, PLATFORM, "Offset of the next record.", nullable=False, default="0"),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema, a row of `stream_schemas`.", nullable=False),
        Column("system_time", TIMESTAMPTZ, PLATFORM, "System time of the last record; null before the first one."),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was moved.", nullable=False),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last moved.", nullable=False, default="now()"),
    ),
    primary_key=("stream",),
)

BIGINTS = Type("bigint[]")

STREAM_PUBLICATIONS = Table(
    name="stream_publications",
    doc=(
        "What was known when: each publication that published anything, or of other streams than the one before. The"
        " streams that it lists were as one snapshot of the store saw their tables, until the next publication."
    ),
    columns=(
        Column("system_time", TIMESTAMPTZ, KEY, "System time of the records that it published.", nullable=False),
        Column(
            "known_until",
            TIMESTAMPTZ,
            PLATFORM,
            "When a publication last found nothing new behind it.",
            nullable=False,
        ),
        Column(
            "streams",
            TEXTS,
            PLATFORM,
            "The streams that were on, and did not fail, by name.",
            nullable=False,
        ),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was made.", nullable=False),
    ),
    primary_key=("system_time",),
    checks=("known_until >= system_time",),
)

STREAM_PARTS = Table(
    name="stream_parts",
    doc="The files that changelog streams consist of. Together they have every offset once.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("start_offset", BIGINT, KEY, "Offset of its first record.", nullable=False),
        Column("end_offset", BIGINT, PLATFORM, "Offset of its last record.", nullable=False),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema.", nullable=False),
        Column("path", TEXT, PLATFORM, "The file, below the root of all streams.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Size of the file.", nullable=False),
        Column("sha256", BYTEA, PLATFORM, "Digest of the file.", nullable=False),
        Column("logical_hash", BYTEA, PLATFORM, "Digest of what its records say.", nullable=False),
        Column(
            "commit_ends",
            BIGINTS,
            PLATFORM,
            "Offset of the last record of each transaction that ends in the file.",
            nullable=False,
        ),
        Column(
            "epoch",
            BIGINT,
            PLATFORM,
            "Epoch of the lease under which it was published, or merged of others.",
            nullable=False,
        ),
        Column("published_at", TIMESTAMPTZ, DEFAULT, "When it was added.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "start_offset"),
    unique=(Unique(("path",), "stream_parts_path_key"),),
    checks=("end_offset >= start_offset",),
)

STREAM_CHECKPOINTS = Table(
    name="stream_checkpoints",
    doc="The last checkpoint of each changelog stream: a file with the rows that are there at an offset.",
    columns=(
        Column("stream", TEXT, KEY, "The stream.", nullable=False),
        Column("next_offset", BIGINT, PLATFORM, "Offset of the first record that is not in it.", nullable=False),
        Column("schema_id", INTEGER, PLATFORM, "Its stream schema.", nullable=False),
        Column("path", TEXT, PLATFORM, "The file, below the root of all streams.", nullable=False),
        Column("rows", BIGINT, PLATFORM, "How many rows are there.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Size of the file.", nullable=False),
        Column("sha256", BYTEA, PLATFORM, "Digest of the file.", nullable=False),
        Column(
            "is_ordered",
            BOOLEAN,
            PLATFORM,
            "Whether its rows are in the order of the key; without a key, in that of all columns. Lists have no order.",
            nullable=False,
        ),
        Column(
            "reordered_by",
            INTEGER,
            PLATFORM,
            "The last stream schema by which rows were no longer in that order; null if there never was one.",
        ),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was made.", nullable=False),
        Column("made_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("stream",),
    unique=(Unique(("path",), "stream_checkpoints_path_key"),),
)

STREAM_READERS = Table(
    name="stream_readers",
    doc="Who reads a changelog stream, and which of its columns.",
    columns=(
        Column("stream", TEXT, OPERATOR, "The stream.", nullable=False),
        Column("reader", TEXT, OPERATOR, "The reader, by any name that its owner is found by.", nullable=False),
        Column("schema_id", INTEGER, OPERATOR, "The schema that it was written for.", nullable=False),
        Column(
            "columns",
            TEXTS,
            OPERATOR,
            "What it reads, with dots before fields of structs: `address.city`. Null is every column of that schema.",
        ),
        Column("registered_by", TEXT, DEFAULT, "Login that registered it.", nullable=False, default="session_user"),
        Column("registered_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("stream", "reader"),
    open_to_operators=True,
)

STREAM_ROOTS = Table(
    name="stream_roots",
    doc="Below which root the changelog streams of this database are: one row, once a stream was published.",
    columns=(
        Column("name", TEXT, KEY, "`streams`.", nullable=False),
        Column("root_id", UUID, PLATFORM, "Id of the root, which its `publisher.json` has, too.", nullable=False),
        Column("url", TEXT, PLATFORM, "Where it was when it was last written to, for people.", nullable=False),
        Column("publication", BIGINT, PLATFORM, "Transaction in which the last publication began."),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last written.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)

REMOVED_STREAM_FILES = Table(
    name="removed_stream_files",
    doc=(
        "Files that belong to no changelog stream any more, or never did. They are deleted after a grace time, as a"
        " reader may have their names."
    ),
    columns=(
        Column("path", TEXT, KEY, "The file, below the root of all streams.", nullable=False),
        Column("stream", TEXT, PLATFORM, "The stream in whose folder it is.", nullable=False),
        Column("bytes", BIGINT, PLATFORM, "Its size; null for a file that never belonged to the stream."),
        Column("removed_at", TIMESTAMPTZ, DEFAULT, "Since when it is here.", nullable=False, default="now()"),
        Column("deleted_at", TIMESTAMPTZ, PLATFORM, "From then on the file may be gone; null before."),
    ),
    primary_key=("path",),
    indexes=(Index("removed_stream_files_stream_index", "(stream)", "Compaction looks for those of a stream."),),
)
