"""The tables of retention: policies, legal holds, plans, and what has been deleted."""

from __future__ import annotations

from enum import Enum

from lineage_core.declare.leaving import ChangesWith, Leaves
from lineage_core.declare.vocabulary import (
    BIGINT,
    BOOLEAN,
    BYTEA,
    DEFAULT,
    INTEGER,
    INTERVAL,
    JSONB,
    KEY,
    OPERATOR,
    OWNER,
    PLATFORM,
    TEXT,
    TIMESTAMPTZ,
    UUID,
    UUIDS,
    Column,
    Index,
    OnDelete,
    Reference,
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


RETENTION_POLICIES = Table(
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

RETENTION_HOLDS = Table(
    name="retention_holds",
    doc="Legal holds: what retention must not delete, however old. A row is never changed; retention_hold_releases ends"
    " a hold.",
    append_only=True,
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the hold.", nullable=False, identity=True),
        Column(
            "namespace_pattern", TEXT, OPERATOR, "The namespaces of what is held; * is any characters.", nullable=False
        ),
        Column("dataset", TEXT, OPERATOR, "The one dataset that is held; null if not only one is."),
        Column("job", TEXT, OPERATOR, "The one job that is held; null if not only one is."),
        Column("run", UUID, OPERATOR, "The one run that is held; null if not only one is."),
        Column("events_since", TIMESTAMPTZ, OPERATOR, "Only what happened at that time or later; null is always."),
        Column("events_until", TIMESTAMPTZ, OPERATOR, "Only what happened before that time; null is always."),
        Column("manifest", TEXT, OPERATOR, "The archive whose restored events alone are held; null if others are."),
        Column("why", TEXT, OPERATOR, "Why it is held.", nullable=False),
        Column("until", TIMESTAMPTZ, OPERATOR, "When the hold ends by itself; null is never."),
        Column("placed_by", TEXT, DEFAULT, "Login that placed it.", nullable=False, default="session_user"),
        Column("placed_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("id",),
    checks=(
        "num_nonnulls(dataset, job, run, manifest) <= 1",
        "btrim(why) <> ''",
        "btrim(namespace_pattern) <> ''",
        "isfinite(until)",
        "isfinite(events_since) AND isfinite(events_until)",
        "events_since < events_until",
    ),
)

RETENTION_HOLD_RELEASES = Table(
    name="retention_hold_releases",
    doc="Legal holds that somebody has ended. A row is never changed: who wants the hold again places another.",
    append_only=True,
    columns=(
        Column(
            "hold",
            BIGINT,
            OPERATOR,
            "The hold.",
            nullable=False,
            reference=Reference("retention_holds", OnDelete.NO_ACTION, "id"),
        ),
        Column("why", TEXT, OPERATOR, "Why it is held no more.", nullable=False),
        Column("released_by", TEXT, DEFAULT, "Login that released it.", nullable=False, default="session_user"),
        Column("released_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("hold",),
    checks=("btrim(why) <> ''",),
)

RETENTION_HORIZONS = Table(
    name="retention_horizons",
    doc="Up to which time retention has deleted. An event of before that the ledger does not hold is expired: it is"
    " counted, and never merged.",
    columns=(
        Column("kind", TEXT, KEY, "What was deleted: runs, or versions of datasets.", nullable=False),
        Column("namespace", TEXT, KEY, "The namespace, formatted: of the job, or of the dataset.", nullable=False),
        Column("before", TIMESTAMPTZ, PLATFORM, "The time. It never moves back.", nullable=False),
    ),
    kept=True,
    primary_key=("kind", "namespace"),
    checks=("kind IN ('runs', 'versions')",),
)

RETENTION_PLANS = Table(
    name="retention_plans",
    doc="Plans of retention: the moment and the cut-offs that hold for whoever carries one out, whatever the policies"
    " say by then.",
    kept=True,
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the plan.", nullable=False, identity=True),
        Column("as_of", TIMESTAMPTZ, PLATFORM, "The time from which ages count.", nullable=False),
        Column("cutoffs", JSONB, PLATFORM, "Before when what goes, of each kind and namespace.", nullable=False),
        Column("written", JSONB, PLATFORM, "The plan as it is written for whoever approves it.", nullable=False),
        Column("planned_by", TEXT, DEFAULT, "Login that planned it.", nullable=False, default="session_user"),
        Column("planned_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
    ),
    primary_key=("id",),
)

RETENTION_PLAN_EVENTS = Table(
    name="retention_plan_events",
    doc="Raw events that go by a plan of retention, by the numbers of their arrival. Forgotten with its keys.",
    columns=(
        Column(
            "plan", BIGINT, PLATFORM, "The plan.", nullable=False, reference=Reference("retention_plans", column="id")
        ),
        Column("first_seq", BIGINT, PLATFORM, "`arrival_seq` of the first of some in a row.", nullable=False),
        Column("last_seq", BIGINT, PLATFORM, "That of the last of them.", nullable=False),
    ),
    primary_key=("plan", "first_seq"),
    checks=("last_seq >= first_seq",),
)

RETENTION_PLAN_KEYS = Table(
    name="retention_plan_keys",
    doc="What goes by a plan of retention: nothing else may. Forgotten a month after it was planned.",
    columns=(
        Column(
            "plan", BIGINT, PLATFORM, "The plan.", nullable=False, reference=Reference("retention_plans", column="id")
        ),
        Column("kind", TEXT, PLATFORM, "The table from which it goes, or `job_events`.", nullable=False),
        Column("number", INTEGER, PLATFORM, "In order.", nullable=False),
        Column("keys", UUIDS, PLATFORM, "Their uuids; of a job event, the first half of a SHA-256.", nullable=False),
    ),
    primary_key=("plan", "kind", "number"),
)

RETENTION_REPORTS = Table(
    name="retention_reports",
    doc="What each application of retention planned, and what it deleted.",
    columns=(
        Column("id", BIGINT, DEFAULT, "In order.", nullable=False, identity=True),
        Column("as_of", TIMESTAMPTZ, PLATFORM, "The time from which ages count.", nullable=False),
        Column("plan", JSONB, PLATFORM, "What was to go, and what stays, by reason.", nullable=False),
        Column("archive", TEXT, PLATFORM, "URL of the archive of raw events, without a login; null without one."),
        Column("deleted", JSONB, PLATFORM, "Rows that have gone, for each table.", nullable=False),
        Column("stayed", JSONB, PLATFORM, "What was planned to go and stayed, by reason; null until the end."),
        Column("applied_by", TEXT, DEFAULT, "Login that applied it.", nullable=False, default="session_user"),
        Column("started_at", TIMESTAMPTZ, DEFAULT, "When it began.", nullable=False, default="now()"),
        Column("finished_at", TIMESTAMPTZ, PLATFORM, "When nothing was left to delete; null before."),
    ),
    kept=True,
    primary_key=("id",),
)

RETENTION_PURGED_RUNS = Table(
    name="retention_purged_runs",
    doc="Runs that retention has deleted lately. One that speaks again begins anew, and is named in the report.",
    columns=(
        Column("uuid", UUID, KEY, "The run.", nullable=False),
        Column("purged_at", TIMESTAMPTZ, PLATFORM, "When it was deleted.", nullable=False),
    ),
    primary_key=("uuid",),
    retention=(
        Leaves("leaving_purged_runs"),
        ChangesWith("runs", "runs/keep_purged_runs"),
    ),
)

RETENTION_RESTORED_EVENTS = Table(
    name="retention_restored_events",
    doc="Events that were restored out of an archive. While the hold that came with them is in force they are held, and"
    " taken in from behind the horizon; no other event is. Only the function that restores writes it.",
    columns=(
        Column("identity", BYTEA, OWNER, "Identity of the event: time, rank and digest.", nullable=False),
        Column(
            "hold",
            BIGINT,
            OWNER,
            "The hold.",
            nullable=False,
            reference=Reference("retention_holds", OnDelete.CASCADE, "id"),
        ),
    ),
    primary_key=("hold", "identity"),
    indexes=(Index("retention_restored_events_identity_index", "(identity)", "Whether an event was restored."),),
)

ARCHIVED_EVENT_MONTHS = Table(
    name="archived_event_months",
    doc="Months of which retention has deleted archived raw events. Only the functions that delete them write it.",
    columns=(
        Column("month", TIMESTAMPTZ, KEY, "First instant of the month of event time, in UTC.", nullable=False),
        Column("events", BIGINT, OWNER, "Raw events that were deleted, ever.", nullable=False),
        Column("last_at", TIMESTAMPTZ, OWNER, "When the last ones were.", nullable=False, default="now()"),
    ),
    primary_key=("month",),
)
