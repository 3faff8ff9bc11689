"""Retention: policies and legal holds, what they let go, and its deletion."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.retention import command

    return command


def _operation() -> ModuleType:
    from lineage_core.retention import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
