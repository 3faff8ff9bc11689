"""The tables of normalization: how far it is, what it has staged, and which views it has refreshed."""

from __future__ import annotations

from lineage_core.declare.vocabulary import (
    BIGINT,
    DEFAULT,
    INTEGER,
    JSONB,
    KEY,
    OWNER,
    PLATFORM,
    SNAPSHOT,
    TEXT,
    TEXTS,
    TIMESTAMPTZ,
    Column,
    Table,
)

WATERMARKS = Table(
    name="watermarks",
    doc="What each consumer of lineage_events has done: all that `done` sees, and of `target` all before the cursor.",
    columns=(
        Column("name", TEXT, KEY, "The consumer.", nullable=False),
        Column(
            "system_identifier",
            BIGINT,
            PLATFORM,
            "Cluster that the snapshots were taken in; in any other they mean nothing.",
            nullable=False,
        ),
        Column("done", SNAPSHOT, PLATFORM, "Every event that this snapshot sees is done.", nullable=False),
        Column("target", SNAPSHOT, PLATFORM, "Snapshot that is being worked off; null between two runs."),
        Column("cursor_xid", BIGINT, PLATFORM, "Transaction of the last event done of the target."),
        Column("cursor_seq", BIGINT, PLATFORM, "Place in its transaction of the last event done of the target."),
        Column(
            "partitions",
            TEXTS,
            PLATFORM,
            "Partitions that were looked through for arrival numbers of elsewhere, each as it was attached then.",
            nullable=False,
        ),
        Column("updated_at", TIMESTAMPTZ, PLATFORM, "When it was last moved.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)

STAGED_PARTS = Table(
    name="staged_parts",
    doc="What each task has staged. A crash empties the staging tables but not this manifest, so the loss is seen.",
    columns=(
        Column(
            "part_id",
            BIGINT,
            DEFAULT,
            "The attempt of one task; its staged rows bear it.",
            nullable=False,
            sequence="staged_parts_id_seq",
        ),
        Column("epoch", BIGINT, PLATFORM, "Epoch of the lease under which it was staged.", nullable=False),
        Column("slice", BIGINT, PLATFORM, "Slice that it is a part of.", nullable=False),
        Column("partition", INTEGER, PLATFORM, "Task of that slice.", nullable=False),
        Column("rows", JSONB, PLATFORM, "Number of rows staged for each table.", nullable=False),
        Column("staged_at", TIMESTAMPTZ, DEFAULT, "When it was staged.", nullable=False, default="now()"),
    ),
    primary_key=("part_id",),
)

REFRESHED_VIEWS = Table(
    name="refreshed_views",
    doc="When each materialized view was refreshed. Normalization refreshes those that are older than an hour.",
    columns=(
        Column("name", TEXT, OWNER, "The view.", nullable=False),
        Column("refreshed_at", TIMESTAMPTZ, OWNER, "When it was refreshed.", nullable=False),
    ),
    primary_key=("name",),
)
