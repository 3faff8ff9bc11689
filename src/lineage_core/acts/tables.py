"""The table of what people have done."""

from __future__ import annotations

from lineage_core.declare.vocabulary import BIGINT, DEFAULT, OWNER, TEXT, TIMESTAMPTZ, Column, Table

OPERATOR_ACTS = Table(
    name="operator_acts",
    doc="What people have done to the store, by commands and on pages. A row is written with what it tells of, in one"
    " transaction, and never changed.",
    columns=(
        Column("id", BIGINT, DEFAULT, "Number of the act.", nullable=False, identity=True),
        Column("acted_at", TIMESTAMPTZ, DEFAULT, "When.", nullable=False, default="now()"),
        Column("login", TEXT, DEFAULT, "Login that did it.", nullable=False, default="session_user"),
        Column(
            "person",
            TEXT,
            OWNER,
            "Who asked for it, as that login says: the person as Airflow or a proxy knows him, or the user of a machine"
            " and the machine; null if it does not say.",
        ),
        Column("what", TEXT, OWNER, "The command that does the same, such as `stream stop`.", nullable=False),
        Column("subject", TEXT, OWNER, "What it was done to.", nullable=False),
        Column("outcome", TEXT, OWNER, "What became of it, and the reason that was given.", nullable=False),
    ),
    primary_key=("id",),
    shown_to_operators=True,
    checks=("btrim(what) <> ''",),
)
