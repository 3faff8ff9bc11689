"""What is imported before a command runs: each takes its time, of every command and of every `--help`."""

from __future__ import annotations

import subprocess
import sys

import pytest

MERGE_GRAPH = ("lineage_core.model.merge_order", "lineage_core.model.derivations", "lineage_core.normalize.store")
OF_SOME_COMMANDS = (
    "lineage_core.answers.affected.walk",
    "lineage_core.answers.explain.loading",
    "lineage_core.answers.graph.store",
    "lineage_core.answers.impact.walk",
    "lineage_core.render",
    "lineage_core.spark",
    "lineage_core.streams.publication",
    "lineage_core.operate.whole_store",
)
FRAMEWORKS = (
    "sqlalchemy",
    "alembic",
    "pyspark",
    "airflow",
    "openlineage",
    "fastapi",
    "pyarrow",
    "fsspec",
    "mcp",
    "pyiceberg",
)

SCRIPT = """
import sys
from lineage_core.cli import main

try:
    main(sys.argv[1:])
except SystemExit as ended:
    print(ended.code, *sys.modules, file=sys.stderr)
"""


def imported_by(*arguments: str) -> set[str]:
    done = subprocess.run([sys.executable, "-c", SCRIPT, *arguments], capture_output=True, text=True, check=True)
    code, *modules = done.stderr.split()
    assert code == "0"
    return set(modules)


@pytest.mark.parametrize("arguments", [("paths",), ("--help",), ("retention", "apply", "--help")])
def test_a_command_starts_without_what_only_others_need(arguments: tuple[str, ...]) -> None:
    unwanted = tuple(f"{name}." for name in (*MERGE_GRAPH, *OF_SOME_COMMANDS, *FRAMEWORKS))
    assert [module for module in sorted(imported_by(*arguments)) if f"{module}.".startswith(unwanted)] == []


def test_a_command_imports_what_it_needs() -> None:
    """So the test above looks at modules that there are."""
    assert {"lineage_core.render", "lineage_core.model.merge_order"} <= imported_by("sql", "--check")
