"""Long migrations: planned, run in short transactions at the pace that the server allows, verified, and ended."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.long_migrations import command

    return command


def _operation() -> ModuleType:
    from lineage_core.long_migrations import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
