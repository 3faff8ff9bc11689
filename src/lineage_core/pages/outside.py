"""Addresses outside the pages that events give: of the source of a job, and of its task in Airflow."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlsplit


def is_web_address(text: Any) -> bool:
    """Whether it can be a link: an event may give any text, such as a script that a browser would run."""
    if not isinstance(text, str) or not text.isprintable():
        return False
    try:
        parts = urlsplit(text)
    except ValueError:
        return False
    return parts.scheme in ("http", "https") and bool(parts.netloc)


def task_in_airflow(facets: Mapping[str, Any]) -> str | None:
    """Where Airflow shows the task of a run and its log, by the facet `airflow`; None where no event says so."""
    found: Any = facets.get("airflow", {}).get("content")
    for member in ("taskInstance", "log_url"):
        found = found.get(member) if isinstance(found, dict) else None
    return found if is_web_address(found) else None
