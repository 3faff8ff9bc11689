"""Changelog streams of our own tables: what is captured of their changes becomes the parts of a stream (seed 002)."""

from __future__ import annotations

from types import ModuleType

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.streams import command

    return command


def _operation() -> ModuleType:
    from lineage_core.streams import operation

    return operation


CAPABILITY = Capability(_commands, _operation)
