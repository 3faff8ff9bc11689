"""The notebook of the documentation, run as its users run it: by a kernel of its own."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from nbformat import NO_CONVERT, reads
from nbformat.notebooknode import NotebookNode

from lineage_core.local.postgres import Server
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT
from tests.support.servers import reader_login
from tests.support.shop import shop_events
from tests.support.stores import take_in

pytestmark = pytest.mark.postgres

NOTEBOOK = PROJECT / "docs" / "notebooks" / "what-uses-a-dataset.ipynb"
ASKED = {
    r"NAME = \"games.example.match_scores\"": r"NAME = \"order_lines\"",
    r"COLUMN = \"score\"": r"COLUMN = \"amount\"",
}
"""What is asked there of the example, and here of the shop."""


def notebook_of(file: Path) -> NotebookNode:
    notebook: NotebookNode = reads(file.read_text(), NO_CONVERT)  # type: ignore[no-untyped-call]
    return notebook


def shown(notebook: NotebookNode, kind: str) -> list[str]:
    """What the cells show of a kind, in their order."""
    outputs = [output for cell in notebook.cells for output in cell.get("outputs", [])]
    return [output.data[kind] for output in outputs if kind in output.get("data", {})]


@pytest.mark.slow
def test_the_notebook_draws_its_plots(
    database: Store, postgres_server: Server, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    take_in(database, shop_events())
    monkeypatch.setenv("LINEAGE_READER_DSN", reader_login(postgres_server, database).dsn)
    monkeypatch.setenv("JUPYTER_RUNTIME_DIR", str(tmp_path))
    text = NOTEBOOK.read_text()
    for asked, here in ASKED.items():
        assert text.count(asked) == 1
        text = text.replace(asked, here)
    (tmp_path / "asked.ipynb").write_text(text)
    options = ["--timeout=120", "--output=shown", "asked.ipynb"]
    program = Path(sys.executable).with_name("jupyter-execute")
    done = subprocess.run([program, *options], cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    notebook = notebook_of(tmp_path / "shown.ipynb")
    assert len(shown(notebook, "image/png")) == 3
    (picture,) = shown(notebook, "image/svg+xml")
    assert "order_lines" in picture
    tables = "".join(shown(notebook, "text/plain"))
    assert "shop/leaderboard" in tables
    assert "unknown" in tables


def test_the_notebook_is_kept_without_what_it_has_shown() -> None:
    """So that a change of it is a change of its text."""
    notebook = notebook_of(NOTEBOOK)
    assert [
        cell for cell in notebook.cells if cell.cell_type == "code" and (cell.outputs or cell.execution_count)
    ] == []
