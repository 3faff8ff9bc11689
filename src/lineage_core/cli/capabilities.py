"""The modules that have commands: a new one is added here. Each has a `register`, which adds its commands."""

from __future__ import annotations

from typing import Protocol

import typer

from lineage_core.answers.explain import command as explain
from lineage_core.carry_over import command as carry_over
from lineage_core.cli import paths, sql
from lineage_core.database import command as database
from lineage_core.ingest import command as ingest
from lineage_core.local import command as local
from lineage_core.long_migrations import command as long_migrations
from lineage_core.namespaces import command as namespaces
from lineage_core.normalize import command as normalize
from lineage_core.operate import command as operate
from lineage_core.quarantine import command as quarantine
from lineage_core.queries import command as queries
from lineage_core.reading import command as reading
from lineage_core.receiver import command as receiver
from lineage_core.retention import command as retention
from lineage_core.schema_alerts import command as schema_alerts
from lineage_core.streams import command as streams


class HasCommands(Protocol):
    """It is imported whatever the command is, so it imports within its commands what only these need."""

    def register(self, application: typer.Typer) -> None: ...


COMMANDS: tuple[HasCommands, ...] = (
    operate,
    database,
    carry_over,
    quarantine,
    ingest,
    receiver,
    normalize,
    reading,
    queries,
    explain,
    schema_alerts,
    namespaces,
    retention,
    long_migrations,
    streams,
    local,
    paths,
    sql,
)
"""Where several add to one group, help shows their commands in this order."""
