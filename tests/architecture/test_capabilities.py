"""What capabilities declare is asked for: the registries of `operate` and of the command line miss none of them."""

from __future__ import annotations

import importlib

from lineage_core.cli.capabilities import COMMANDS
from lineage_core.operate.capabilities import HEALTH_CHECKS, UPGRADE_STEPS
from lineage_core.settings import PROJECT
from lineage_core.upgrade_step import UpgradeStep

SOURCES = PROJECT / "src" / "lineage_core"


OF_AIRFLOW = "lineage_core.airflow.checks"
"""An installation may be without Airflow, so `lineage doctor` asks for these by themselves."""


def test_each_capability_with_checks_is_in_the_registry() -> None:
    rooms = SOURCES.glob("*/checks.py")
    declared = {f"lineage_core.{room.parent.name}.checks" for room in rooms}
    assert {checks.__name__ for checks in HEALTH_CHECKS} == declared - {OF_AIRFLOW}


def test_each_capability_with_commands_is_in_the_registry() -> None:
    files = (file.relative_to(SOURCES).with_suffix("") for file in SOURCES.rglob("command.py"))
    rooms = {".".join(("lineage_core", *file.parts)) for file in files}
    assert rooms <= {str(getattr(module, "__name__", "")) for module in COMMANDS}


def test_each_step_of_an_upgrade_is_in_the_registry() -> None:
    rooms = SOURCES.glob("*/upgrade.py")
    modules = [importlib.import_module(f"lineage_core.{room.parts[-2]}.upgrade") for room in rooms]
    declared = {id(found) for module in modules for found in vars(module).values() if isinstance(found, UpgradeStep)}
    assert {id(step) for step in UPGRADE_STEPS} == declared
