"""The one reader of the environment. Entry points call `Settings.from_environment`; all else receives values."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
"""The checkout: `sql/`, `dags/` and `spark_jobs/` are found below it."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What a run of any command is told by its surroundings.

    dsn: libpq URI of the database, from `LINEAGE_DSN`; None means the embedded Postgres below `home`.
    ingest_dsn: the same database for those who only add events, from `LINEAGE_INGEST_DSN`; `dsn` otherwise.
    home: folder of everything that this machine keeps, from `LINEAGE_HOME`; `.lineage` below the project otherwise.
    """

    dsn: str | None
    ingest_dsn: str | None
    home: Path

    @classmethod
    def from_environment(cls) -> Settings:
        home = os.environ.get("LINEAGE_HOME")
        dsn = os.environ.get("LINEAGE_DSN") or None
        return cls(
            dsn=dsn,
            ingest_dsn=os.environ.get("LINEAGE_INGEST_DSN") or dsn,
            home=Path(home).resolve() if home else PROJECT / ".lineage",
        )


def inherited_environment() -> dict[str, str]:
    """A copy of this process's environment, for the processes that it starts."""
    return dict(os.environ)


def export(variables: Mapping[str, str]) -> None:
    """Sets what the environment does not say itself, for libraries that look only there."""
    for name, value in variables.items():
        os.environ.setdefault(name, value)
