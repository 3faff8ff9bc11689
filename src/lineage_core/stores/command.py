"""`lineage store`: the list of several stores, and which namespaces go to which."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import show
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.store_list import ListedStore, formatted_route, read_store_list

if TYPE_CHECKING:
    from lineage_core.stores.listing import ListedStoreState

STORES = CommandGroup("store", "Several stores: which there are, and which events go to which.", Panel.MANAGE)

StoreName = Annotated[str, typer.Argument(metavar="NAME", help="What the store is called.", callback=refuse_empty)]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, STORES)
    commands.command("list")(list_stores)
    commands.command()(add)
    commands.command()(route)


@leaves(NOTHING_CHANGED)
def list_stores(as_json: AsJson = False) -> None:
    """List the stores: where each is, whether it answers, what waits, and which namespaces go to it."""
    from lineage_core.stores.listing import states, stores_file

    found = states(read_store_list(stores_file()))
    show({"stores": found}, _lines(found), as_json=as_json)


@leaves(all_or_nothing("lineage store list"))
def add(
    name: StoreName,
    dsn_variable: Annotated[
        str,
        typer.Option(metavar="VARIABLE", help="The environment variable with the DSN.", callback=refuse_empty),
    ],
    ingest_dsn_variable: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="That of the login that only adds events.", callback=refuse_empty),
    ] = None,
    reader_dsn_variable: Annotated[
        str | None, typer.Option(metavar="VARIABLE", help="That of the login that only reads.", callback=refuse_empty)
    ] = None,
    operator_dsn_variable: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="That of the login by which pages act.", callback=refuse_empty),
    ] = None,
    streams_url_variable: Annotated[
        str | None,
        typer.Option(metavar="VARIABLE", help="That of the URL of its changelog streams.", callback=refuse_empty),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Add a store to the list that LINEAGE_STORES names. The first one is the default store.

    The list has names of variables, and no secret. The variables need not be set yet.
    """
    from lineage_core.stores.listing import added, stores_file

    store = ListedStore(
        dsn_variable, ingest_dsn_variable, reader_dsn_variable, operator_dsn_variable, streams_url_variable
    )
    later = added(stores_file(), name, store)
    is_default = later.default == name
    line = f"{name} is in the list{', as the default store' if is_default else ''}. `lineage --store {name} db upgrade`"
    made = {"name": name, "is_default": is_default, **store.variables()}
    show(made, [f"{line} makes what it holds, or brings it up to date."], as_json=as_json)


@leaves(all_or_nothing("lineage store list"))
def route(
    namespaces: Annotated[
        list[str],
        typer.Argument(
            metavar="NAMESPACE", help="Of jobs; or the beginning of some, and * behind it.", callback=refuse_empty
        ),
    ],
    to: Annotated[str, typer.Option("--to", metavar="NAME", help="The store.", callback=refuse_empty)],
    yes: Annotated[
        bool, typer.Option("--yes", help="Also namespaces that have jobs in another store, which stay there.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Send the events of namespaces to a store from now on; * alone is all that has no other route.

    Receivers that run know it when they start again.
    """
    from lineage_core.stores.listing import routed, stores_file

    later = routed(stores_file(), namespaces, to, is_meant=yes)
    written = [formatted_route(one) for one in namespaces]
    lines = [*(f"{one} goes to {to}." for one in written), "Start receivers again that run."]
    show({"routes": {one: later.routes[one] for one in written}}, lines, as_json=as_json)


def _lines(found: Sequence[ListedStoreState]) -> Iterator[str]:
    for state in found:
        where = state.address or state.variables["dsn_variable"]
        yield f"{state.name}{' (default)' if state.is_default else ''}  {where}"
        if state.routes:
            yield f"    takes    {', '.join(state.routes)}"
        if state.waiting is not None:
            since = f" since {state.waiting_since:%Y-%m-%d %H:%M} UTC" if state.waiting_since else ""
            yield f"    waiting  {'at least ' if state.is_more else ''}{state.waiting:,} events{since}"
        if state.spooled_since is not None:
            yield f"    spool    events wait on this machine since {state.spooled_since:%Y-%m-%d %H:%M} UTC"
        if state.problem is not None:
            yield f"    problem  {state.problem}"
