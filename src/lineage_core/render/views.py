"""Declarations to docs/views.md: what every view is for."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_core.model.view import View

OPENING = """# Views

Every view of the store, each behind the views that it reads.
"""


def document(views: Iterable[View]) -> str:
    return "\n".join([OPENING, *(_section(view) for view in views)])


def _section(view: View) -> str:
    reads = ", ".join(f"`{name}`" for name in view.reads)
    return f"## {view.name}\n\n{view.doc}\n\n- for {view.readers}\n- reads {reads}\n"
