"""What an earlier `make demo` has run: if it is all there, and the example is the same, it need not run again."""

from __future__ import annotations

import hashlib
import json
from datetime import datetime
from pathlib import Path

from lineage_core.local.demo_report import Story, failed_example
from lineage_core.local.home import write_secret
from lineage_core.postgres.store import Store
from lineage_core.settings import PROJECT

EXAMPLE_FILES = ("dags/match_scores_leaderboard.py", "spark_jobs/match_scores_leaderboard.py")


def remember(file: Path, story: Story) -> None:
    """Writes down what has run, by which files."""
    kept = {
        "namespace": story.namespace,
        "before": story.before.isoformat(),
        "after": story.after.isoformat(),
        "example": _digest(),
    }
    write_secret(file, json.dumps(kept, indent=2) + "\n")


def remembered(file: Path, store: Store) -> Story | None:
    """None if nothing has run, if the example has changed since, or if the store does not have its last run."""
    if not file.exists():
        return None
    kept = json.loads(file.read_text())
    if kept["example"] != _digest():
        return None
    story = Story(kept["namespace"], *(datetime.fromisoformat(kept[key]) for key in ("before", "after")))
    return story if failed_example(store, story) else None


def _digest() -> str:
    digest = hashlib.sha256()
    for path in EXAMPLE_FILES:
        digest.update((PROJECT / path).read_bytes())
    return digest.hexdigest()
