"""Answers about lineage: each package is one question."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.answers import command

    return command


CAPABILITY = Capability(_commands)
