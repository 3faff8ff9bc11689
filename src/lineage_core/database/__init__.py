"""The store itself: made, brought up to date, compared with what is declared."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.database import command

    return command


def _operation() -> ModuleType:
    from lineage_core.database import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
