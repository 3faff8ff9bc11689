"""Carrying an earlier store, which no upgrade fits, over into one of this release."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.carry_over import command

    return command


CAPABILITY = Capability(_commands)
