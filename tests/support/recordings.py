"""What a live Marquez made of events (`shared/data/marquez-recorded`; its README says how to read it)."""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import pytest

SHARED = Path(__file__).parents[3] / "shared" / "data"
RECORDED = SHARED / "marquez-recorded"

NEEDS_RECORDINGS = [
    pytest.mark.postgres,
    pytest.mark.shared_data,
    pytest.mark.skipif(not RECORDED.is_dir(), reason="shared/data, with the recordings of a live Marquez, is absent"),
]
"""The marks of a module that reads them."""

Rows = list[dict[str, Any]]


@dataclass(frozen=True)
class Recording:
    """Events, in a file or below a folder, and the rows that Marquez made of them."""

    name: str
    events: Path
    rows_file: Path

    def rows(self) -> dict[str, Rows]:
        """Table to rows; each uuid that Marquez draws at random is replaced by what it stands for."""
        return _read(self.rows_file)


@cache
def _read(rows_file: Path) -> dict[str, Rows]:
    tables: dict[str, Rows] = json.loads(rows_file.read_text())
    return tables


def recordings() -> list[Recording]:
    cases = [
        Recording(folder.name, folder / "events.ndjson", folder / "rows.json")
        for folder in sorted(RECORDED.glob("cases/*"))
    ]
    sets = [
        Recording(
            "compatibility-tests",
            SHARED / "openlineage-compatibility-tests",
            RECORDED / "compatibility-tests" / "rows.json",
        ),
        Recording("marquez-seed", RECORDED / "marquez-seed" / "events.ndjson", RECORDED / "marquez-seed" / "rows.json"),
    ]
    return cases + (sets if cases else [])
