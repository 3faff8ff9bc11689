"""What an upgrade does to streams of ours: their schemas become those that are declared."""

from __future__ import annotations

from lineage_core.postgres.connection import Connection
from lineage_core.streams.registry import differing_streams, evolve_declared_streams
from lineage_core.upgrade_step import UpgradeStep


def _differences(connection: Connection) -> list[str]:
    return [f"stream {name} has another schema than is declared" for name in differing_streams(connection)]


STREAM_SCHEMAS = UpgradeStep(bring_up_to_date=evolve_declared_streams, differences=_differences)
