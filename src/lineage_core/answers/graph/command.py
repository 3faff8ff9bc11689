"""`lineage graph`: what something was made of, and what was made of it, at any moment."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from lineage_core.answers.graph.document import difference_document, graph_document
from lineage_core.answers.snapshots import waiting_lines
from lineage_core.capability import counted
from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, moment
from lineage_core.command_line.results import show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.graph.difference import GraphDifference
    from lineage_core.answers.graph.known import KnownAt
    from lineage_core.answers.graph.model import DatasetRename, Edge, Graph, GraphEvent, Node, Root
    from lineage_core.answers.graph.walking import Direction

OfDataset = Annotated[
    tuple[str, str] | None,
    typer.Option("--dataset", metavar="NAMESPACE NAME", help="Of a dataset, by any of its names."),
]
OfJob = Annotated[
    tuple[str, str] | None,
    typer.Option("--job", metavar="NAMESPACE NAME", help="Of a job, by its name with its parent's."),
]
OfColumn = Annotated[
    tuple[str, str, str] | None,
    typer.Option("--column", metavar="NAMESPACE NAME COLUMN", help="Of a column of a dataset."),
]
Up = Annotated[bool, typer.Option("--up", help="Only what it was made of; with --down, both.")]
Down = Annotated[bool, typer.Option("--down", help="Only what was made of it; with --up, both.")]
Depth = Annotated[int | None, typer.Option(min=0, help="Edges from it: 1 is one edge. As far as it goes without it.")]
Limit = Annotated[int, typer.Option(min=1, help="Most nodes to show; the answer says if there are more.")]
KnownOption = Annotated[
    str | None,
    typer.Option("--known-at", metavar="TIME", help="As it was known then: by what changelog streams had published."),
]
AFTER = "`next` of the answer before, where that was cut."


def register(application: typer.Typer) -> None:
    graph_commands = typer.Typer(invoke_without_command=True)
    graph_commands.callback()(graph)
    graph_commands.command("diff")(graph_diff)
    application.add_typer(graph_commands, name="graph", rich_help_panel=Panel.READ)


@leaves(NOTHING_CHANGED)
def graph(
    context: typer.Context,
    *,
    dataset: OfDataset = None,
    job: OfJob = None,
    column: OfColumn = None,
    at: Annotated[
        str | None,
        typer.Option(metavar="TIME", help="As it was at this moment, by the time of events; now without it."),
    ] = None,
    known_at: KnownOption = None,
    up: Up = False,
    down: Down = False,
    depth: Depth = None,
    limit: Limit = 1_000,
    after: Annotated[str | None, typer.Option(metavar="CURSOR", help=f"Go on behind it: {AFTER}")] = None,
    runs: Annotated[
        bool, typer.Option("--runs", help="Show with each edge the run and the dataset version that last flowed.")
    ] = False,
    draw: Annotated[
        Literal["dot", "mermaid", "prov"] | None, typer.Option(help="Print it for Graphviz, Mermaid, or as PROV-O.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show the lineage of a dataset, a job or a column, as it is or as it was."""
    if context.invoked_subcommand:
        return
    if draw and (as_json or runs):
        raise WrongUsage(f"--draw and {'--json' if as_json else '--runs'} exclude each other")
    from lineage_core.answers.graph.borders import graph_over_borders, other_stores
    from lineage_core.answers.graph.drawing import DrawingFormat, drawn

    found = graph_over_borders(
        chosen_store(),
        _root(dataset, job, column),
        other_stores(),
        at=None if at is None else moment("--at", at),
        directions=_directions(up, down),
        depth=depth,
        after=after,
        most=limit,
        with_runs=runs,
        known=_known("--known-at", known_at),
    )
    if draw:
        show(None, drawn(found, DrawingFormat(draw)), as_json=False)
        for line in _cut_lines(found):
            typer.echo(line, err=True)
        return
    show(graph_document(found, runs), _graph_lines(found), as_json=as_json)


@leaves(NOTHING_CHANGED)
def graph_diff(
    *,
    from_: Annotated[str, typer.Option("--from", metavar="TIME", help="The earlier moment, by the time of events.")],
    to: Annotated[str, typer.Option("--to", metavar="TIME", help="The later moment.")],
    dataset: OfDataset = None,
    job: OfJob = None,
    column: OfColumn = None,
    known_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="The graph of --from as it was known then.")
    ] = None,
    to_known_at: Annotated[
        str | None, typer.Option(metavar="TIME", help="The graph of --to as it was known then.")
    ] = None,
    up: Up = False,
    down: Down = False,
    depth: Depth = None,
    limit: Limit = 1_000,
    as_json: AsJson = False,
) -> None:
    """Show which edges came and went between two moments."""
    from lineage_core.answers.graph.borders import difference_over_borders, other_stores

    found = difference_over_borders(
        chosen_store(),
        _root(dataset, job, column),
        moment("--from", from_),
        moment("--to", to),
        other_stores(),
        directions=_directions(up, down),
        depth=depth,
        most=limit,
        from_known=_known("--known-at", known_at),
        to_known=_known("--to-known-at", to_known_at),
    )
    show(difference_document(found), _difference_lines(found), as_json=as_json)


def _root(dataset: tuple[str, str] | None, job: tuple[str, str] | None, column: tuple[str, str, str] | None) -> Root:
    from lineage_core.answers.graph.model import NodeKind, Root

    kinds = (NodeKind.DATASET, NodeKind.JOB, NodeKind.COLUMN)
    given = [Root(kind, *names) for kind, names in zip(kinds, (dataset, job, column), strict=True) if names]
    if len(given) != 1:
        raise WrongUsage(
            "Name one thing: --dataset NAMESPACE NAME, --job NAMESPACE NAME, or --column NAMESPACE NAME COLUMN"
        )
    return given[0]


def _known(option: str, text: str | None) -> KnownAt | None:
    from lineage_core.answers.graph.known import KnownAt

    return None if text is None else KnownAt.by_settings(moment(option, text))


def _directions(up: bool, down: bool) -> Collection[Direction]:
    from lineage_core.answers.graph.graph import BOTH
    from lineage_core.answers.graph.walking import Direction

    asked = [direction for direction, is_asked in ((Direction.UP, up), (Direction.DOWN, down)) if is_asked]
    return asked or BOTH


def _graph_lines(found: Graph) -> Iterator[str]:
    names = _names(found.nodes)
    known = f", as known at {found.known_at.isoformat()}" if found.known_at else ""
    yield f"{len(found.nodes)} nodes and {len(found.edges)} edges at {found.at.isoformat()}{known}"
    for edge in found.edges:
        yield _edge_line(edge, names)
    yield from _border_lines(found, names)
    yield from _cut_lines(found)


def _border_lines(found: Graph | GraphDifference, names: dict[str, str]) -> Iterator[str]:
    """What other stores know of it. The name of a column's dataset is not in the answer, so that of the other store is
    given."""
    for one in found.elsewhere or ():
        there = f"{one.namespace} {one.name}"
        called = f" as {there}, by a symlink," if one.by_symlink else ""
        goes_on = f", where its lineage goes on: lineage --store {one.store} graph" if one.goes_on else ""
        yield f"{names.get(one.id, there)} is also{called} in the store {one.store}{goes_on}"


def _difference_lines(found: GraphDifference) -> Iterator[str]:
    """What a rename alone has changed stands with it, and not edge by edge."""
    names = _names(found.nodes)
    came, went = ([edge for edge in edges if not edge.by_rename] for edges in (found.came, found.went))
    moments = f"from {found.from_.isoformat()} to {found.to.isoformat()}"
    yield f"{len(came)} edges came and {len(went)} went {moments}"
    for one in found.renamed:
        yield f"= {_rename_line(one, found)}"
    for sign, edges in (("+", came), ("-", went)):
        for edge in edges:
            yield f"{sign} {_edge_line(edge, names)}{_event_words(edge.event)}"
    yield from _border_lines(found, names)
    if found.is_cut:
        yield "Not complete: one of the two graphs has more nodes. Ask with a larger --limit, or a smaller --depth."
    yield from _state_lines(found, "graph diff")


def _rename_line(rename: DatasetRename, found: GraphDifference) -> str:
    old, new = (f"{node.namespace} {node.name}" for node in (rename.from_, rename.to))
    going_on = [edge for edge in found.came if edge.by_rename and _is_of(edge, rename.to.id)]
    edges = f", with {counted(len(going_on), 'edge')}" if going_on else ""
    return f"{old} was renamed to {new}{edges}{_event_words(rename.event)}"


def _is_of(edge: Edge, dataset: str) -> bool:
    """Whether an end is this dataset, or a column of it."""
    return dataset in {end.partition("/")[0] for end in (edge.from_, edge.to)}


def _event_words(event: GraphEvent | None) -> str:
    """What made something come or go."""
    if event is None:
        return ""
    return f"  by run {event.run}" if event.run else f"  by event {event.id}"


def _names(nodes: Collection[Node]) -> dict[str, str]:
    return {node.id: f"{node.namespace} {node.name}{f' {node.column}' if node.column else ''}" for node in nodes}


def _edge_line(edge: Edge, names: dict[str, str]) -> str:
    """An end may be on another page: then its id stands for it."""
    until = edge.until.isoformat() if edge.until else "now"
    ends = f"{names.get(edge.from_, edge.from_)} -> {names.get(edge.to, edge.to)}"
    flow = f"; run {edge.run}, version {edge.version}" if edge.run else ""
    return f"{ends}  ({edge.kind.value}; {edge.since.isoformat()} to {until}; {edge.runs} runs{flow})"


def _cut_lines(found: Graph) -> Iterator[str]:
    if found.next:
        yield f"Not complete: there are more nodes. Go on by --after {found.next}"
    yield from _state_lines(found, "graph")


def _state_lines(found: Graph | GraphDifference, command: str) -> Iterator[str]:
    """What the answer lacks whatever its limit is."""
    from lineage_core.answers.graph.borders import border_lines

    if found.ends_at_depth:
        yield "Edges may lead on from where --depth ends."
    if found.purged_before:
        yield f"Not complete: retention has deleted runs from before {found.purged_before.isoformat()}."
    if found.has_lost_descriptions:
        yield "Not complete: retention has deleted descriptions of columns that were known then."
    if any(one.goes_on for one in found.elsewhere or ()):
        yield "Not complete: lineage goes on in other stores."
    yield from border_lines((), found.unasked_stores, command)
    yield from waiting_lines(found.waiting_since)
