"""Which jobs are the platform's own: its DAGs, their tasks, and what these submit to Spark."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from lineage_core.settings import PROJECT

EXAMPLES = frozenset({"match_scores_leaderboard"})
"""DAGs of this project that stand for its users' own."""

_OF_LONG_MIGRATIONS = "long_migrations"
"""The file that has the DAGs of all of them."""


@dataclass(frozen=True)
class OwnJobs:
    """Jobs of a namespace that are named after DAGs: `DAG`, and `DAG.TASK`."""

    namespace: str
    """The namespace of the Airflow that runs them, as its events spell it."""
    dags: tuple[str, ...]


def own_jobs(namespace: str, long_migrations: Iterable[str]) -> OwnJobs:
    """The jobs of this project's DAGs. The name of a DAG's file is its id, but for the one that has a DAG for each long
    migration: `long_migrations` are these ids."""
    files = {file.stem for file in (PROJECT / "dags").glob("*.py")}
    return OwnJobs(namespace, tuple(sorted(files - EXAMPLES - {_OF_LONG_MIGRATIONS} | {*long_migrations})))
