"""What capabilities declare is asked for: the registry of `operate` misses none of them."""

from __future__ import annotations

from lineage_core.operate.capabilities import HEALTH_CHECKS
from lineage_core.settings import PROJECT


def test_each_capability_with_checks_is_in_the_registry() -> None:
    rooms = (PROJECT / "src" / "lineage_core").glob("*/checks/__init__.py")
    assert {checks.__name__ for checks in HEALTH_CHECKS} == {f"lineage_core.{room.parts[-3]}.checks" for room in rooms}
