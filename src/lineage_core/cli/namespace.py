"""`lineage namespace`: owners of namespaces, which people set and no event does."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import Annotated

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves

NamespaceName = Annotated[str, typer.Argument(metavar="NAMESPACE", help="As `list` shows it.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command()(own)
    group.command()(disown)
    group.command("list")(list_namespaces)
    application.add_typer(group, name="namespace", help="Owners of namespaces.", rich_help_panel=Panel.READ)


@leaves("It took effect whole or not at all; `lineage namespace list` says which.")
def own(
    namespace: NamespaceName,
    owner: Annotated[str, typer.Argument(metavar="OWNER", help="Name of the person or team.")],
) -> None:
    """Make a person or team the owner of a namespace, in place of any other."""
    from lineage_core import namespaces

    namespaces.own(chosen_store(), namespace, owner)
    typer.echo(harmless(f"{owner} owns {namespace}."))


@leaves("It took effect whole or not at all; `lineage namespace list` says which.")
def disown(namespace: NamespaceName) -> None:
    """Remove the owner of a namespace."""
    from lineage_core import namespaces

    namespaces.disown(chosen_store(), namespace)
    typer.echo(harmless(f"{namespace} has no owner."))


@leaves(NOTHING_CHANGED)
def list_namespaces(as_json: Annotated[bool, typer.Option("--json", help="Print JSON.")] = False) -> None:
    """List the namespaces and their owners."""
    from lineage_core import namespaces

    owned = namespaces.owned_namespaces(chosen_store())
    if as_json:
        typer.echo(json.dumps([asdict(namespace) for namespace in owned]))
        return
    for namespace in owned:
        typer.echo(harmless(f"{namespace.name}  {namespace.owner}"))
