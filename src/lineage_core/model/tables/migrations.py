"""migrations: each long migration, how far it is allowed to go, and what was verified of it."""

from __future__ import annotations

from enum import Enum

from lineage_core.model.vocabulary import (
    BIGINT,
    BOOLEAN,
    JSONB,
    KEY,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Table,
    one_of,
)


class State(Enum):
    """Where a long migration stands."""

    PLANNED = "planned"
    RUNNING = "running"
    PAUSED = "paused"
    CANCELLED = "cancelled"
    FINISHED = "finished"
    FINALIZED = "finalized"
    CUT_OVER = "cut over"
    DROPPED = "dropped"


TABLE = Table(
    name="migrations",
    doc="Long migrations, which move rows in ranges while the store is in use: their state, settings and results.",
    columns=(
        Column("name", TEXT, KEY, "Its name on the command line.", nullable=False),
        Column(
            "state",
            TEXT,
            PLATFORM,
            f"One of {', '.join(state.value for state in State)}.",
            nullable=False,
        ),
        Column("settings", JSONB, PLATFORM, "What an operator has set; workers read it all the time.", nullable=False),
        Column("total", BIGINT, PLATFORM, "Rows to look at, counted in the order of keys when it was planned."),
        Column(
            "reads_new",
            BOOLEAN,
            PLATFORM,
            "Whether readers read what it made. The flag of the cut-over.",
            nullable=False,
            default="false",
        ),
        Column("planned_at", TIMESTAMPTZ, PLATFORM, "When it was planned.", nullable=False, default="now()"),
        Column("started_at", TIMESTAMPTZ, PLATFORM, "When the first worker began."),
        Column("finished_at", TIMESTAMPTZ, PLATFORM, "When the last range was done."),
        Column("verified_at", TIMESTAMPTZ, PLATFORM, "When readers were last seen to see the same, old and new."),
        Column("verification", JSONB, PLATFORM, "Counts and checksums of the last verification."),
    ),
    primary_key=("name",),
    checks=(one_of("state", State),),
)
