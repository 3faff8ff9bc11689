"""The event that the demo sends by hand, as an example of one of one's own."""

from __future__ import annotations

import subprocess
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from lineage_core.errors import NeedsOperator
from lineage_core.local.demo_bonuses import BONUSES, IN_WORDS, award
from lineage_core.model.meaning.dataset_descriptions import described
from lineage_core.openlineage.events import RunState
from lineage_core.openlineage.parsing import parse


@pytest.mark.parametrize("code", [0, 3])
def test_it_says_what_was_written(code: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def run(words: list[Any], **_: Any) -> SimpleNamespace:
        asked.append(words[1:])
        return SimpleNamespace(returncode=code, stdout="", stderr="no store")

    monkeypatch.setattr(subprocess, "run", run)
    server: Any = SimpleNamespace(port=5432, run_sql=lambda *words: asked.append(words))
    file = tmp_path / "event.json"
    if code:
        with pytest.raises(NeedsOperator, match="no store"):
            award(server, IN_WORDS, file)
    else:
        award(server, IN_WORDS, file)
    (script, *_), ingested = asked
    assert "points text" in script
    assert ingested == ["ingest", str(file)]
    event = parse(file.read_bytes())
    (mention,) = event.datasets
    assert (event.ending, mention.name) == (RunState.COMPLETED, BONUSES)
    assert b"string" in (described(mention).schema.listed or b"")
