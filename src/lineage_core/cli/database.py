"""Which database a command works on."""

from __future__ import annotations

from lineage_core.local import postgres
from lineage_core.settings import Dsn, ProjectSettings


def chosen_dsn() -> str:
    """The database of `LINEAGE_DSN`, or the embedded one, started if need be."""
    settings = ProjectSettings.from_environment()
    return settings.dsn or Dsn(postgres.start(settings.home).dsn(), "the embedded Postgres")


def chosen_ingest_dsn() -> str:
    """The database that events are added to, by the login of `LINEAGE_INGEST_DSN` where there is one."""
    return ProjectSettings.from_environment().ingest_dsn or chosen_dsn()
