"""Declarations to docs/views.md, which says what every view is for, and to what keeps views from being written."""

from __future__ import annotations

from collections.abc import Iterable

from lineage_core.declare.views import View

OPENING = """# Views

Every view of the store, each behind the views that it reads. None can be written.
"""


def refusal(view: View) -> str:
    """The trigger that says why the view cannot be written. Postgres itself says it of a materialized one."""
    return (
        f"CREATE TRIGGER {view.name}_refuse_writing INSTEAD OF INSERT OR UPDATE OR DELETE ON {view.name}\n"
        "FOR EACH ROW EXECUTE FUNCTION refuse_writing();"
    )


def document(views: Iterable[View]) -> str:
    return "\n".join([OPENING, *(_item(view) for view in views)])


def _item(view: View) -> str:
    return f"- **{view.name}**: {view.doc}"
