"""A store is made anew of its raw events beside itself: of an earlier one, or of one of this release to compare."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.carry_over import command

    return command


CAPABILITY = Capability(_commands)
