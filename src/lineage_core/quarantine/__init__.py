"""The quarantine: documents that could not become rows, kept with the reason and the place."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands
from lineage_core.quarantine.store import (
    QuarantinedDocument,
    chosen,
    discard,
    entries,
    entry,
    named,
    no_such_document,
    put,
    raw,
)

__all__ = [
    "CAPABILITY",
    "QuarantinedDocument",
    "chosen",
    "discard",
    "entries",
    "entry",
    "named",
    "no_such_document",
    "put",
    "raw",
]


def _commands() -> HasCommands:
    from lineage_core.quarantine import command

    return command


def _operation() -> ModuleType:
    from lineage_core.quarantine import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
