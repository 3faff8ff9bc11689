"""Named queries: questions that people ask of the tables, each a file of `sql/queries/` that psql runs, too."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.queries import command

    return command


CAPABILITY = Capability(_commands)
