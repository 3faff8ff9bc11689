"""Taking documents in: from files, from a producer's process, from the spool, into the raw events."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.ingest import command

    return command


def _operation() -> ModuleType:
    from lineage_core.ingest import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
