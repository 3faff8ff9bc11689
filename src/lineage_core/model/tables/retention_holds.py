"""retention_holds: what retention must not delete, by whose word."""

from __future__ import annotations

from lineage_core.model.vocabulary import BIGINT, DEFAULT, OPERATOR, TEXT, TIMESTAMPTZ, UUID, Column, Table

TABLE = Table(
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
