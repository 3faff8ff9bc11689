"""The points of players, which somebody else writes: a table beside the example's, and the events that tell of it."""

from __future__ import annotations

import json
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

from lineage_core.local.airflow_environment import GAMES
from lineage_core.local.demo_commands import output_of
from lineage_core.local.ports import HOST
from lineage_core.local.postgres import Server

BONUSES = "games.example.bonuses"

_SCRIPT = """
DROP TABLE IF EXISTS example.bonuses;
CREATE TABLE example.bonuses (player_name text, points {type});
INSERT INTO example.bonuses VALUES ('Alice', {points});
"""


@dataclass(frozen=True)
class Points:
    """type, points: in SQL. spark_type: as Spark calls the type."""

    type: str
    points: str
    spark_type: str


USUAL = Points("integer", "15", "integer")
IN_WORDS = Points("text", "'15 points'", "string")
"""The job that adds them to scores fails."""


def award(server: Server, points: Points, file: Path) -> None:
    """Write the table, and send an event that says so, as anybody may: it stays in the file, to be looked at."""
    server.run_sql(_SCRIPT.format(type=points.type, points=points.points), GAMES, GAMES)
    file.write_text(json.dumps(_event(f"postgres://{HOST}:{server.port}", points), indent=2) + "\n")
    output_of("ingest", str(file))


def _event(namespace: str, points: Points) -> dict[str, object]:
    fields = [{"name": "player_name", "type": "string"}, {"name": "points", "type": points.spark_type}]
    schema = {
        "_producer": "https://games.example/award_bonuses",
        "_schemaURL": "https://openlineage.io/spec/facets/1-2-0/SchemaDatasetFacet.json",
        "fields": fields,
    }
    return {
        "eventType": "COMPLETE",
        "eventTime": datetime.now(UTC).isoformat(),
        "run": {"runId": str(uuid4())},
        "job": {"namespace": "games", "name": "award_bonuses"},
        "inputs": [],
        "outputs": [{"namespace": namespace, "name": BONUSES, "facets": {"schema": schema}}],
        "producer": "https://games.example/award_bonuses",
        "schemaURL": "https://openlineage.io/spec/2-0-2/OpenLineage.json#/$defs/RunEvent",
    }
