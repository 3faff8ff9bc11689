"""migration_ranges: the ranges of keys of a long migration, and who works on each."""

from __future__ import annotations

from enum import Enum

from lineage_core.model.vocabulary import (
    BIGINT,
    DEFAULT,
    INTEGER,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
    one_of,
)


class RangeState(Enum):
    """Whether somebody works on a range; one that waits is to be tried again."""

    PENDING = "pending"
    RUNNING = "running"
    WAITING = "waiting"
    DONE = "done"


TABLE = Table(
    name="migration_ranges",
    doc="The ranges of keys of a long migration. Only the worker that has one may write in it.",
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the range.", nullable=False, sequence="migration_ranges_id_seq"),
        Column(
            "migration",
            TEXT,
            PLATFORM,
            "The migration.",
            nullable=False,
            reference=Reference("migrations", OnDelete.CASCADE, "name"),
        ),
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
