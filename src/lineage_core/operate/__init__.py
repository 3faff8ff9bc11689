"""What operators ask of the whole store: it goes through what the capabilities declare, and knows none of them."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.operate import command

    return command


CAPABILITY = Capability(_commands)
