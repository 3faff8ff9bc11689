"""A second `make demo` does not run the example again, if all of it is there and the same."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace

import pytest

from lineage_core.local import demo_report, demo_story
from lineage_core.local.demo_report import FAILED_TASK, Story
from lineage_core.local.demo_story import remember, remembered
from lineage_core.postgres.store import Store

STORE = Store("postgresql://somebody@nowhere/lineage")
STORY = Story("postgres://127.0.0.1:5", datetime(2026, 11, 26, 1, tzinfo=UTC), datetime(2026, 11, 26, 2, tzinfo=UTC))


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the story is, which has run."""
    _store_has(monkeypatch, FAILED_TASK, "another")
    remember(tmp_path / "story.json", STORY)
    return tmp_path / "story.json"


def _store_has(monkeypatch: pytest.MonkeyPatch, *jobs: str) -> None:
    """Failed runs of these jobs since the job of the example has changed."""

    def answer(_store: Store, query: str, asked: dict[str, str]) -> SimpleNamespace:
        assert (query, asked) == ("failed_runs", {"since": STORY.after.isoformat()})
        return SimpleNamespace(columns=("job", "run"), rows=[(job, f"run of {job}") for job in jobs])

    monkeypatch.setattr(demo_report, "answer", answer)


def test_what_has_run_and_is_there_is_remembered(file: Path) -> None:
    assert remembered(file, STORE) == STORY


def test_the_first_time_there_is_nothing_to_remember(tmp_path: Path) -> None:
    assert remembered(tmp_path / "story.json", STORE) is None


def test_another_store_does_not_have_it(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _store_has(monkeypatch, "another")
    assert remembered(file, STORE) is None


def test_an_example_that_has_changed_runs_again(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(demo_story, "EXAMPLE_FILES", demo_story.EXAMPLE_FILES[:1])
    assert remembered(file, STORE) is None
