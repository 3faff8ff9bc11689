"""The plans of statements, as EXPLAIN (FORMAT JSON) gives them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any


def plan_nodes(plan: Any) -> Iterator[dict[str, Any]]:
    """All nodes of a plan, the first one first."""
    yield from _below((json.loads(plan) if isinstance(plan, str) else plan)[0]["Plan"])


def tables_read_whole(plan: Any) -> set[str]:
    return {node["Relation Name"] for node in plan_nodes(plan) if node["Node Type"] == "Seq Scan"}


def _below(node: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield node
    for one in node.get("Plans", ()):
        yield from _below(one)
