"""What capabilities declare is asked for: the registry of `operate` misses none of them."""

from __future__ import annotations

import importlib

from lineage_core.operate.capabilities import HEALTH_CHECKS, UPGRADE_STEPS
from lineage_core.settings import PROJECT
from lineage_core.upgrade_step import UpgradeStep


def test_each_capability_with_checks_is_in_the_registry() -> None:
    rooms = (PROJECT / "src" / "lineage_core").glob("*/checks/__init__.py")
    assert {checks.__name__ for checks in HEALTH_CHECKS} == {f"lineage_core.{room.parts[-3]}.checks" for room in rooms}


def test_each_step_of_an_upgrade_is_in_the_registry() -> None:
    rooms = (PROJECT / "src" / "lineage_core").glob("*/upgrade.py")
    modules = [importlib.import_module(f"lineage_core.{room.parts[-2]}.upgrade") for room in rooms]
    declared = {id(found) for module in modules for found in vars(module).values() if isinstance(found, UpgradeStep)}
    assert {id(step) for step in UPGRADE_STEPS} == declared
