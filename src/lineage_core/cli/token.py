"""`lineage token`: who may send events to the receiver."""

from __future__ import annotations

import json
from dataclasses import asdict
from datetime import UTC, datetime
from operator import methodcaller
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.options import refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.receiver.store.tokens import KnownToken

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
Name = Annotated[str, typer.Option(metavar="NAME", help="The name of the token.", callback=refuse_empty)]


_ISO_8601 = methodcaller("isoformat")
"""Of days as of points in time."""


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command()(create)
    group.command("list")(list_tokens)
    group.command()(revoke)
    application.add_typer(
        group, name="token", help="Tokens of producers that send events over HTTP.", rich_help_panel=Panel.MANAGE
    )


@leaves("A token was made or not: `list` says which. One whose text was not shown is of no use; revoke it.")
def create(
    name: Name,
    namespace: Annotated[
        list[str],
        typer.Option(
            metavar="PATTERN",
            help="Namespaces whose jobs and datasets it may write; * is any characters. May be given again.",
            callback=refuse_empty,
        ),
    ],
    expires: Annotated[
        str, typer.Option(metavar="AGE", help="When it ends by itself: such as 90d or 12h, or never.")
    ] = "never",
    as_json: AsJson = False,
) -> None:
    """Make a token, and print it. It is shown only once."""
    from lineage_core.receiver.store.tokens import create_token
    from lineage_core.retention.policies import parse_age

    age = parse_age(expires)
    expires_at = None if age is None else datetime.now(UTC) + age
    token = create_token(chosen_store(), name, namespace, expires_at)
    if as_json:
        made = {"name": name, "token": token.text, "namespaces": namespace, "expires_at": expires_at}
        typer.echo(json.dumps(made, default=_ISO_8601))
        return
    typer.echo(harmless(f"Keep it, as it is not shown again. The token {name} is {token.text}"))


@leaves(NOTHING_CHANGED)
def list_tokens(as_json: AsJson = False) -> None:
    """List the tokens: what they may write, when they end, and when they were used last."""
    from lineage_core.receiver.store.tokens import known_tokens

    known = known_tokens(chosen_store())
    if as_json:
        typer.echo(json.dumps([asdict(token) for token in known], default=_ISO_8601))
        return
    for token in known:
        typer.echo(harmless(f"{token.name}  {', '.join(token.namespaces)}  {_state(token)}"))
    typer.echo(f"{len(known):,} tokens.")


@leaves("It was revoked or not: `list` says which.")
def revoke(name: Name) -> None:
    """Revoke a token. The next request with it is refused."""
    from lineage_core.receiver.store.tokens import revoke_token

    revoke_token(chosen_store(), name)
    typer.echo(harmless(f"The token {name} is revoked."))


def _state(token: KnownToken) -> str:
    used = f"used last on {token.last_used_on}" if token.last_used_on else "never used"
    if token.revoked_at is not None:
        return f"revoked on {token.revoked_at:%Y-%m-%d}, {used}"
    if token.expires_at is None:
        return f"never expires, {used}"
    return f"{'expired' if token.is_expired else 'expires'} on {token.expires_at:%Y-%m-%d}, {used}"
