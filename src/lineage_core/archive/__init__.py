"""What has left Postgres is asked in SQL: archived raw events, and the parts of changelog streams."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.archive import command

    return command


CAPABILITY = Capability(_commands)
