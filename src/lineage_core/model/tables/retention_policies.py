"""retention_policies: the retention policies that operators have set over time."""

from __future__ import annotations

from enum import Enum

from lineage_core.model.vocabulary import (
    BIGINT,
    BOOLEAN,
    DEFAULT,
    INTEGER,
    INTERVAL,
    OPERATOR,
    TEXT,
    TIMESTAMPTZ,
    Column,
    Index,
    Table,
    one_of,
)


class PolicyKind(Enum):
    """What a policy of retention is about."""

    RAW_EVENTS = "raw-events"
    RUNS = "runs"
    VERSIONS = "versions"
    ENTITIES = "entities"
    """Jobs and datasets. They go only under a policy of their own."""
    QUARANTINE = "quarantine"
    CONTENTS = "contents"
    EVERY = "*"
    """All others but jobs and datasets."""


TABLE = Table(
    name="retention_policies",
    doc="Every policy of retention that was ever set or removed. The last of a kind and a pattern is in force.",
    append_only=True,
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, identity=True),
        Column("kind", TEXT, OPERATOR, "What it is about; * is all but jobs and datasets.", nullable=False),
        Column(
            "namespace_pattern", TEXT, OPERATOR, "The namespaces that it is about; * is any characters.", nullable=False
        ),
        Column("older_than", INTERVAL, OPERATOR, "Age from which things go; null where they never do."),
        Column("keep_last", INTEGER, OPERATOR, "So many of each job or dataset stay, however old; null is none."),
        Column("is_removed", BOOLEAN, OPERATOR, "Whether it is in force no more.", nullable=False, default="false"),
        Column("set_by", TEXT, DEFAULT, "Login that set it.", nullable=False, default="session_user"),
        Column("set_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("id",),
    indexes=(
        Index("retention_policies_pattern_index", "(kind, namespace_pattern, id)", "The last of a kind and a pattern."),
    ),
    checks=(
        one_of("kind", PolicyKind),
        "btrim(namespace_pattern) <> ''",
        "namespace_pattern = '*' OR kind NOT IN ('quarantine', 'contents')",
        "older_than > interval '0' AND older_than <= interval '36500 days'",
        "date_part('year', older_than) = 0 AND date_part('month', older_than) = 0",
        "keep_last >= 0",
        "keep_last IS NULL OR kind IN ('runs', 'versions', '*')",
    ),
)
