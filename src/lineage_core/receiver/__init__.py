"""The receiver: OpenLineage over HTTP, for every producer that speaks `POST /api/v1/lineage`."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.receiver import command

    return command


def _operation() -> ModuleType:
    from lineage_core.receiver import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
