"""Sending the raw events on, to another lineage store or catalog, by OpenLineage's own client."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.emission import command

    return command


CAPABILITY = Capability(_commands)
