"""What capabilities declare is asked for: the list of them misses none."""

from __future__ import annotations

import importlib

from lineage_core.capabilities import CAPABILITIES
from lineage_core.settings import PROJECT

SOURCES = PROJECT / "src" / "lineage_core"

OF_THE_COMMAND_LINE = "cli"
"""What it can do by itself is of no capability."""


def _packages_with(module: str) -> set[str]:
    return {file.parent.name for file in SOURCES.glob(f"*/{module}.py")}


def test_each_capability_with_commands_is_in_the_list() -> None:
    listed = {str(getattr(capability.commands(), "__name__", "")) for capability in CAPABILITIES}
    assert listed == {f"lineage_core.{name}.command" for name in _packages_with("command") - {OF_THE_COMMAND_LINE}}


def test_each_capability_says_what_it_has_for_operators() -> None:
    listed = {capability.operation().__name__ for capability in CAPABILITIES if capability.operation}
    assert listed == {f"lineage_core.{name}.operation" for name in _packages_with("operation")}


def test_each_capability_is_that_of_its_package() -> None:
    for name in _packages_with("command") - {OF_THE_COMMAND_LINE}:
        assert importlib.import_module(f"lineage_core.{name}").CAPABILITY in CAPABILITIES
