"""What the forms of the DAGs that normalize ask, each once."""

from __future__ import annotations

from airflow.sdk import Param

MEBIBYTE = 1024 * 1024


def span_params(otherwise: str) -> dict[str, Param]:
    """A span of event time; `otherwise` is what a run takes whose form leaves both ends empty."""
    return {
        "from": Param(
            None,
            type=["null", "string"],
            format="date-time",
            title="From",
            description=f"Start (inclusive), by event time. Leave both empty to process {otherwise}."
            " Leave them empty in a backfill, too: it has dates of its own.",
        ),
        "to": Param(
            None,
            type=["null", "string"],
            format="date-time",
            title="To",
            description="End (exclusive), by event time. Empty is all since *From*.",
        ),
    }


def common_params() -> dict[str, Param]:
    """What counts in a run by event time, and in any run."""
    return {
        "namespaces": Param(
            [],
            type=["null", "array"],
            items={"type": "string"},
            title="Namespaces",
            description="Job namespaces, a line each, in a run by event time. Empty means all.",
        ),
        "slice_bytes": Param(
            None,
            type=["null", "integer"],
            minimum=MEBIBYTE,
            maximum=1024 * MEBIBYTE,
            title="Bytes in a slice",
            description="How much is normalized between two commits. Empty is what the job takes by itself.",
        ),
    }
