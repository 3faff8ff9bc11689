"""Declarations to docs/views.md, which says what every view is for, and to what keeps views from being written."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_core.declare.views import View

OPENING = """# Views

Every view of the store, each behind the views that it reads.
"""


def refusal(view: View) -> str:
    """The trigger that says why the view cannot be written. Postgres itself says it of a materialized one."""
    return (
        f"CREATE TRIGGER {view.name}_refuse_writing INSTEAD OF INSERT OR UPDATE OR DELETE ON {view.name}\n"
        "FOR EACH ROW EXECUTE FUNCTION refuse_writing();"
    )


def document(views: Iterable[View]) -> str:
    return "\n".join([OPENING, *(_section(view) for view in views)])


def _section(view: View) -> str:
    reads = ", ".join(f"`{name}`" for name in view.reads)
    return f"## {view.name}\n\n{view.doc}\n\n- for {view.readers}\n- reads {reads}\n"
