"""stream_policies: what the evolution of a stream's schema may do to its readers."""

from __future__ import annotations

from lineage_core.model.vocabulary import DEFAULT, OPERATOR, TEXT, TIMESTAMPTZ, Column, Table

TABLE = Table(
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
