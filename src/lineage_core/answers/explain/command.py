"""`lineage explain`: why a run failed, or why its output differs."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from lineage_core.answers.snapshots import waiting_lines
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.explain.explanation import Explanation


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.READ)(explain)


@leaves(NOTHING_CHANGED)
def explain(
    run: Annotated[UUID, typer.Argument(metavar="RUN", help="The `uuid` of the run.")],
    hops: Annotated[int, typer.Option(min=0, max=20, help="How far upstream to look.")] = 5,
    limit: Annotated[int, typer.Option(min=1, help="Most causes to show.")] = 20,
    as_json: AsJson = False,
) -> None:
    """Explain why a run failed, or why its output differs from that of the last good run of its job."""
    from lineage_core.answers.explain.explained_run import explain as explained

    found = explained(chosen_store(), run, hops=hops, most=limit)
    show(found, _lines(found), as_json=as_json)


def _lines(found: Explanation) -> Iterator[str]:
    yield f"{found.job}  {found.run}  {found.state or 'without a state'}"
    compared = f"compared with {found.compared_with}" if found.compared_with else "compared with no run"
    yield f"{compared}; {found.runs} runs up to {found.hops} hops upstream, as of {found.as_of.isoformat()}"
    if not found.causes:
        yield "No difference was found that could be the cause."
    for number, cause in enumerate(found.causes, start=1):
        where = f", {cause.hops} upstream: {cause.job}" if cause.hops else ""
        yield f"{number}. {cause.kind}  {cause.subject}  ({cause.weight:.2f}{where})"
        for evidence in cause.evidence:
            yield f"    {evidence.says}  ({evidence.kind} {evidence.id})"
    for what in found.cut:
        yield f"Not looked at: {what}"
    for run in found.next:
        yield f"Go on with: lineage explain {run}"
    yield from waiting_lines(found.waiting_since)
