"""Which jobs are the platform's own: its DAGs, their tasks, and what these submit to Spark."""

from __future__ import annotations

from dataclasses import dataclass

from lineage_core.settings import PROJECT

EXAMPLES = frozenset({"match_scores_leaderboard"})
"""DAGs of this project that stand for its users' own."""


@dataclass(frozen=True)
class OwnJobs:
    """Jobs of a namespace that are named after DAGs: `DAG`, and `DAG.TASK`."""

    namespace: str
    """The namespace of the Airflow that runs them, as its events spell it."""
    dags: tuple[str, ...]


def own_jobs(namespace: str) -> OwnJobs:
    """The jobs of this project's DAGs. The name of a DAG's file is its id."""
    return OwnJobs(namespace, tuple(sorted({file.stem for file in (PROJECT / "dags").glob("*.py")} - EXAMPLES)))
