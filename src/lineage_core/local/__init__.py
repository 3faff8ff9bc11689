"""What runs on one machine: the embedded Postgres, a Java, Airflow's processes, and the demo made of them."""

from __future__ import annotations

from lineage_core.capability import Capability, HasCommands


def _commands() -> HasCommands:
    from lineage_core.local import command

    return command


CAPABILITY = Capability(_commands)
