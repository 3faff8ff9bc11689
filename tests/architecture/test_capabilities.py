"""What capabilities declare is asked for: the registries of `operate` and of the command line miss none of them."""

from __future__ import annotations

from lineage_core.cli.capabilities import COMMANDS
from lineage_core.operate.capabilities import HEALTH_CHECKS
from lineage_core.settings import PROJECT

SOURCES = PROJECT / "src" / "lineage_core"


def test_each_capability_with_checks_is_in_the_registry() -> None:
    rooms = SOURCES.glob("*/checks/__init__.py")
    assert {checks.__name__ for checks in HEALTH_CHECKS} == {f"lineage_core.{room.parts[-3]}.checks" for room in rooms}


def test_each_capability_with_commands_is_in_the_registry() -> None:
    rooms = {f"lineage_core.{file.parent.name}.command" for file in SOURCES.glob("*/command.py")}
    assert rooms <= {str(getattr(module, "__name__", "")) for module in COMMANDS}
