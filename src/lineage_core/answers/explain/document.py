"""Explanations as JSON objects: what `--json` prints, and all else that programs get."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lineage_core.answers.explain.explanation import Explanation


def explanation_document(found: Explanation) -> dict[str, Any]:
    """The answer, with ids and points in time as they are; `json_text` writes them."""
    return asdict(found)
