"""Several stores, one platform: which there are, how they are, and which namespaces go to which."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.stores import command

    return command


CAPABILITY = Capability(_commands)
