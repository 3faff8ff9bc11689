"""What people have done to the store: each act of an operator, by a command or on a page, with the person's name."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.acts import command

    return command


CAPABILITY = Capability(_commands)
