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
            description=f"By event time: first instant. Empty is all before `to`; both empty is {otherwise}.",
        ),
        "to": Param(
            None,
            type=["null", "string"],
            format="date-time",
            title="To",
            description="By event time: first instant after. Empty is all since `from`.",
        ),
    }


def common_params() -> dict[str, Param]:
    """What counts in a run by event time, and in any run."""
    return {
        "namespaces": Param(
            [],
            type="array",
            items={"type": "string"},
            title="Namespaces",
            description="Of jobs, in a run by event time; none means all.",
        ),
        "slice_bytes": Param(
            None,
            type=["null", "integer"],
            minimum=MEBIBYTE,
            maximum=1024 * MEBIBYTE,
            title="Bytes in a slice",
            description="How much is normalized between two commits; the job's own measure if empty.",
        ),
    }
