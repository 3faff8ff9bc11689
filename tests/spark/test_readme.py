"""The commands of the docs run as they are written."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT, inherited_environment
from lineage_core.testing import TIME, dataset, run_event, to_ndjson
from tests.support.stores import rows

pytestmark = [pytest.mark.postgres, pytest.mark.spark]

LINEAGE = ".venv/bin/lineage"
PROGRAM = str(Path(sys.executable).with_name("lineage"))


def commands(page: str) -> list[list[str]]:
    """The words of each `lineage` command in the shell blocks of a page; pipes and comments are left out."""
    blocks = re.findall(r"```sh\n(.*?)```", (PROJECT / page).read_text(), re.DOTALL)
    lines = [line.partition("#")[0].split() for block in blocks for line in block.splitlines()]
    return [words[1:] for words in lines if words and words[0] == LINEAGE]


@pytest.mark.slow
def test_the_commands_of_the_readme_run_in_their_order(database: Store, tmp_path: Path) -> None:
    event = run_event("COMPLETE", time=TIME, outputs=[dataset(fields=[("id", "INT")])])
    (tmp_path / "events.ndjson").write_bytes(to_ndjson([event]) + b'{"no": "event"}\n')
    written = commands("README.md")
    assert {words[0] for words in written} == {
        "db",
        "ingest",
        "normalize",
        "query",
        "quarantine",
        "namespace",
        "migration",
    }
    for words in written:
        done = subprocess.run(
            [PROGRAM, *words],
            cwd=tmp_path,
            env=inherited_environment() | {"LINEAGE_DSN": database.dsn, "LINEAGE_HOME": str(tmp_path / "home")},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, f"{words}: {done.stdout}{done.stderr}"
    assert rows(database, "SELECT name FROM datasets") == [("public.orders",)]
