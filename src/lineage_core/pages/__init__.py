"""Pages: what the store knows, for people to look at, each as JSON for programs at the same address."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.pages import command

    return command


CAPABILITY = Capability(_commands)
