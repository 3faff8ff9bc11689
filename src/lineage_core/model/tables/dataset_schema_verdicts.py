"""dataset_schema_verdicts: what the schema of each current version was to those before it (seed 004)."""

from __future__ import annotations

from lineage_core.declare.leaving import GoesWith, Keeps
from lineage_core.declare.vocabulary import (
    BYTEA,
    DERIVED,
    JSONB,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    Column,
    Index,
    OnDelete,
    Reference,
    Table,
    TableStream,
    one_of,
    unenforced,
)
from lineage_core.evolution import Verdict

TABLE = Table(
    name="dataset_schema_verdicts",
    doc=(
        "What the schema of a dataset was to those before it, each time that a version which was written or declared"
        " became current. Each list has at most 1,000 members."
    ),
    columns=(
        Column("dataset_uuid", UUID, DERIVED, "The dataset.", nullable=False, reference=unenforced("datasets")),
        Column(
            "event_order",
            BYTEA,
            DERIVED,
            "Order of the event that made the version current, as in the timeline.",
            nullable=False,
        ),
        Column("version_uuid", UUID, DERIVED, "The version.", nullable=False),
        Column("current_from", TIMESTAMPTZ, DERIVED, "Time of that event.", nullable=False),
        Column(
            "verdict",
            TEXT,
            DERIVED,
            "`first`, `unchanged`, `compatible`, `refused`, or `unknown` without a schema.",
            nullable=False,
        ),
        Column("changes", JSONB, DERIVED, "Changes that the rules permit: kind and path of each.", nullable=False),
        Column("refusals", JSONB, DERIVED, "What is against the rules: path, rule and reason.", nullable=False),
        Column(
            "fencing",
            JSONB,
            DERIVED,
            "What fences a reader of all columns: path, rule and reason. Who reads none of"
            " these columns is not fenced.",
            nullable=False,
        ),
        Column(
            "history_uuid",
            UUID,
            DERIVED,
            "What it was judged by; null if nothing was known.",
            reference=Reference("dataset_schema_histories", OnDelete.NO_ACTION),
        ),
    ),
    primary_key=("dataset_uuid", "event_order"),
    indexes=(
        Index("dataset_schema_verdicts_version_index", "(version_uuid)", "Verdicts on a version."),
        Index("dataset_schema_verdicts_history_index", "(history_uuid)", "Whether a history is still needed."),
    ),
    checks=(one_of("verdict", Verdict),),
    stream=TableStream(event_time=("current_from",), without=("history_uuid",)),
    retention=(
        GoesWith("dataset_versions", statement="versions/dataset_schema_verdicts", counted="leaving_verdicts"),
        Keeps("datasets", ("dataset_uuid",)),
        Keeps("dataset_schema_histories", ("history_uuid",)),
    ),
)
