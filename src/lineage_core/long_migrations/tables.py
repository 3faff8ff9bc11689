"""The tables of long migrations: where each is, who works on it, and what holds it."""

from __future__ import annotations

from enum import Enum

from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    DEFAULT,
    INTEGER,
    JSONB,
    KEY,
    OWNER,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
    Type,
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


MIGRATIONS = Table(
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


OF_MIGRATION = Reference("migrations", OnDelete.CASCADE, "name")


class RangeState(Enum):
    """Whether somebody works on a range; one that waits is to be tried again."""

    PENDING = "pending"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"


MIGRATION_RANGES = Table(
    name="migration_ranges",
    doc="The ranges of keys of a long migration. Only the worker that has one may write in it.",
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the range.", nullable=False, sequence="migration_ranges_id_seq"),
        Column("migration", TEXT, PLATFORM, "The migration.", nullable=False, reference=OF_MIGRATION),
        Column("after_key", TEXT, PLATFORM, "Key before its first; null if it begins with the first of all."),
        Column("until_key", TEXT, PLATFORM, "Its last key.", nullable=False),
        Column("cursor_key", TEXT, PLATFORM, "The last key that is done; null before the first transaction."),
        Column("rows", BIGINT, PLATFORM, "Rows when it was planned.", nullable=False),
        Column("done", BIGINT, PLATFORM, "Rows that are done, at most `rows`.", nullable=False, default="0"),
        Column("changed", BIGINT, PLATFORM, "Rows of it that were changed.", nullable=False, default="0"),
        Column(
            "state",
            TEXT,
            PLATFORM,
            f"One of {', '.join(state.value for state in RangeState)}; what waits is to be tried again.",
            nullable=False,
            default=f"'{RangeState.PENDING.value}'",
        ),
        Column("attempts", INTEGER, PLATFORM, "Failures since it last got on.", nullable=False, default="0"),
        Column(
            "interruptions", INTEGER, PLATFORM, "Workers that died since it last got on.", nullable=False, default="0"
        ),
        Column("not_before", TIMESTAMPTZ, PLATFORM, "When it may be tried again."),
        Column("worker", BIGINT, PLATFORM, "Worker that has it; the fence."),
    ),
    primary_key=("id",),
    checks=(one_of("state", RangeState),),
    indexes=(Index("migration_ranges_state_index", "(migration, state, id)", "The next range of a worker."),),
)

FLOAT = Type("double precision")

MIGRATION_WORKERS = Table(
    name="migration_workers",
    doc="Workers of long migrations. One lives as long as its session, which holds an advisory lock of its number.",
    columns=(
        Column("number", BIGINT, DEFAULT, "The worker.", nullable=False, sequence="migration_workers_number_seq"),
        Column("migration", TEXT, PLATFORM, "What it works on.", nullable=False, reference=OF_MIGRATION),
        Column("host", TEXT, PLATFORM, "Machine that it runs on.", nullable=False),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When it began.", nullable=False, default="now()"),
        Column("seen_at", TIMESTAMPTZ, DEFAULT, "Its last transaction.", nullable=False, default="now()"),
        Column("batch_rows", BIGINT, PLATFORM, "Rows of its last transaction."),
        Column("batch_seconds", FLOAT, PLATFORM, "What that took."),
        Column("longest_seconds", FLOAT, PLATFORM, "What its longest transaction took."),
        Column("rows_per_second", FLOAT, PLATFORM, "Its rate, waits between transactions included."),
        Column("spread", FLOAT, PLATFORM, "By which part single transactions differ from the rate."),
    ),
    primary_key=("number",),
    indexes=(Index("migration_workers_migration_index", "(migration)", "The workers of a migration."),),
)

MIGRATION_TRANSITIONS = Table(
    name="migration_transitions",
    doc="What happened to long migrations and to their ranges: each change of state, each failure with its error.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, sequence="migration_transitions_id_seq"),
        Column("migration", TEXT, PLATFORM, "The migration.", nullable=False, reference=OF_MIGRATION),
        Column("range_id", BIGINT, PLATFORM, "The range, null if the migration as a whole is meant."),
        Column(
            "event",
            TEXT,
            PLATFORM,
            "The new state, or failed, split, quarantined, accepted, interrupted.",
            nullable=False,
        ),
        Column("detail", TEXT, PLATFORM, "The error, or who did it."),
        Column("happened_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="clock_timestamp()"),
    ),
    primary_key=("id",),
    indexes=(Index("migration_transitions_migration_index", "(migration, id)", "The history of a migration."),),
)

MIGRATION_HOLDS = Table(
    name="migration_holds",
    doc="Waits of long migrations because of the server's health. While one is open, no worker begins a transaction.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, sequence="migration_holds_id_seq"),
        Column("migration", TEXT, PLATFORM, "The migration.", nullable=False, reference=OF_MIGRATION),
        Column("signal", TEXT, PLATFORM, "What was too much.", nullable=False),
        Column("detail", TEXT, PLATFORM, "What the server showed.", nullable=False),
        Column("since", TIMESTAMPTZ, PLATFORM, "When it began.", nullable=False),
        Column("until", TIMESTAMPTZ, PLATFORM, "When the server is looked at again.", nullable=False),
        Column("ended_at", TIMESTAMPTZ, PLATFORM, "When it was over; null while it lasts."),
    ),
    primary_key=("id",),
    indexes=(
        Index("migration_holds_migration_index", "(migration)", "Removal of a migration."),
        Index(
            "migration_holds_open_index",
            "(migration, signal)",
            "What holds a migration now; one hold for each signal.",
            unique=True,
            where="ended_at IS NULL",
        ),
    ),
)

HOLD_QUERIES = Table(
    name="hold_queries",
    doc="Queries whose one value, true or above 0, holds a long migration. Whoever steers one chooses among these.",
    columns=(
        Column("name", TEXT, OWNER, "Its name, by which a migration's setting refers to it.", nullable=False),
        Column("query", TEXT, OWNER, "One SELECT, run as a role that only reads.", nullable=False),
        Column("stored_by", TEXT, OWNER, "Login that stored it.", nullable=False, default="session_user"),
        Column("stored_at", TIMESTAMPTZ, OWNER, "When it was stored.", nullable=False, default="now()"),
    ),
    primary_key=("name",),
)

MIGRATION_ACCEPTANCES = Table(
    name="migration_acceptances",
    doc="Rows that a long migration cannot work on, and that somebody has accepted as they are. That counts while the"
    " row is in migration_quarantine with the same error.",
    columns=(
        Column("migration", TEXT, KEY, "The migration.", nullable=False, reference=OF_MIGRATION),
        Column("key", TEXT, KEY, "Key of the row.", nullable=False),
        Column("error", TEXT, PLATFORM, "What was wrong with the row then.", nullable=False),
        Column("why", TEXT, PLATFORM, "Why it may stay so, in the words of who accepted it.", nullable=False),
        Column("accepted_by", TEXT, PLATFORM, "Login that accepted it.", nullable=False, default="session_user"),
        Column("accepted_from", TEXT, PLATFORM, "User of the machine from which that was done, and the machine."),
        Column("accepted_at", TIMESTAMPTZ, PLATFORM, "When.", nullable=False, default="now()"),
    ),
    primary_key=("migration", "key"),
)

MIGRATION_QUARANTINE = Table(
    name="migration_quarantine",
    doc="Single rows that a long migration could not work on, with the error; the rest went on.",
    columns=(
        Column("migration", TEXT, KEY, "The migration.", nullable=False, reference=OF_MIGRATION),
        Column("key", TEXT, KEY, "Key of the row.", nullable=False),
        Column("error", TEXT, PLATFORM, "What went wrong.", nullable=False),
        Column("since", TIMESTAMPTZ, PLATFORM, "When it was set aside.", nullable=False, default="now()"),
    ),
    primary_key=("migration", "key"),
)
