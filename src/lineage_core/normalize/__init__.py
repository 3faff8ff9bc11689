"""Raw events become rows of all tables: slices are staged side by side, and each is merged in one transaction."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.normalize import command

    return command


def _operation() -> ModuleType:
    from lineage_core.normalize import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
