"""What capabilities declare is asked for: the registry of `operate` misses none of them."""

from __future__ import annotations

from lineage_core.operate.capabilities import HEALTH_CHECKS
from lineage_core.settings import PROJECT

OF_AIRFLOW = "lineage_core.airflow.checks"
"""An installation may be without Airflow, so `lineage doctor` asks for these by themselves."""


def test_each_capability_with_checks_is_in_the_registry() -> None:
    rooms = (PROJECT / "src" / "lineage_core").glob("*/checks.py")
    declared = {f"lineage_core.{room.parent.name}.checks" for room in rooms}
    assert {checks.__name__ for checks in HEALTH_CHECKS} == declared - {OF_AIRFLOW}
