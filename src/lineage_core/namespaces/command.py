"""`lineage namespace`: owners of namespaces, which people set and no event does."""

from __future__ import annotations

from typing import Annotated

import typer

from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import harmless_line, show
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store

NamespaceName = Annotated[str, typer.Argument(metavar="NAMESPACE", help="As `list` shows it.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, CommandGroup("namespace", "Owners of namespaces.", Panel.READ))
    commands.command()(own)
    commands.command()(disown)
    commands.command("list")(list_namespaces)


@leaves(all_or_nothing("lineage namespace list"))
def own(
    namespace: NamespaceName,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Name of the person or team.")],
) -> None:
    """Make a person or team the owner of a namespace, in place of any other."""
    from lineage_core import namespaces

    namespaces.own(chosen_store(), namespace, owner)
    typer.echo(harmless_line(f"{owner} owns {namespace}."))


@leaves(all_or_nothing("lineage namespace list"))
def disown(namespace: NamespaceName) -> None:
    """Remove the owner of a namespace."""
    from lineage_core import namespaces

    namespaces.disown(chosen_store(), namespace)
    typer.echo(harmless_line(f"{namespace} has no owner."))


@leaves(NOTHING_CHANGED)
def list_namespaces(as_json: AsJson = False) -> None:
    """List the namespaces and their owners."""
    from lineage_core import namespaces

    owned = namespaces.owned_namespaces(chosen_store())
    show(owned, (f"{one.name}  {one.owner}" for one in owned), as_json=as_json)
