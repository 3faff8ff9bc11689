"""`lineage serve`: the receiver of events over HTTP; `lineage token`: who may send events to it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson, parse_age, refuse_empty
from lineage_core.command_line.results import harmless_line, show
from lineage_core.errors import NeedsOperator
from lineage_core.interrupts import NOTHING_CHANGED, leaves, leaving_signals_to_others
from lineage_core.local.chosen_store import chosen_ingest_store, chosen_store
from lineage_core.settings import spool_from_environment

if TYPE_CHECKING:
    from lineage_core.receiver.store import KnownToken

TOKENS = CommandGroup("token", "Tokens of producers that send events over HTTP.", Panel.MANAGE)

Name = Annotated[str, typer.Option(metavar="NAME", help="The name of the token.", callback=refuse_empty)]


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.START)(serve)
    tokens = commands_of(application, TOKENS)
    tokens.command()(create)
    tokens.command("list")(list_tokens)
    tokens.command()(revoke)


@leaves("What was answered with success is stored; a producer sends the rest again.")
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.", callback=refuse_empty)] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=0, max=65_535, help="The port.")] = 5000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the port.")] = 1,
    without_tokens: Annotated[
        bool, typer.Option("--without-tokens", help="Take events without a token; on a loopback address only.")
    ] = False,
    spool: Annotated[
        bool,
        typer.Option(
            "--spool",
            help="While the store is away, answer 201 once an event is on this machine's disk, in LINEAGE_SPOOL.",
        ),
    ] = False,
) -> None:
    """Receive OpenLineage events over HTTP: POST /api/v1/lineage.

    Each event is committed before it is answered. Producers show a token of `lineage token create`.
    Where LINEAGE_STORES lists several stores, each event goes to the one of its namespace.
    """
    try:
        from lineage_core.receiver.serving import ServedReceiver, served_stores
        from lineage_core.receiver.serving import serve as serve_receiver
    except ImportError as error:
        raise NeedsOperator(f"{error}: the receiver takes the extra `receiver` of the package.") from error
    with leaving_signals_to_others():
        folder = spool_from_environment() if spool else None
        served = ServedReceiver(served_stores() or chosen_ingest_store(), not without_tokens, spool=folder)
        serve_receiver(served, host, port, workers)


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
    from lineage_core.receiver.store import create_token

    age = parse_age(expires)
    expires_at = None if age is None else datetime.now(UTC) + age
    token = create_token(chosen_store(), name, namespace, expires_at)
    made = {"name": name, "token": token.text, "namespaces": namespace, "expires_at": expires_at}
    line = f"Keep it, as it is not shown again. The token {name} is {token.text}"
    show(made, [line], as_json=as_json)


@leaves(NOTHING_CHANGED)
def list_tokens(as_json: AsJson = False) -> None:
    """List the tokens: what they may write, when they end, and when they were used last."""
    from lineage_core.receiver.store import known_tokens

    known = known_tokens(chosen_store())
    show(known, _lines(known), as_json=as_json)


@leaves("It was revoked or not: `list` says which.")
def revoke(name: Name) -> None:
    """Revoke a token. The next request with it is refused."""
    from lineage_core.receiver.store import revoke_token

    revoke_token(chosen_store(), name)
    typer.echo(harmless_line(f"The token {name} is revoked."))


def _lines(known: Sequence[KnownToken]) -> Iterator[str]:
    for token in known:
        yield f"{token.name}  {', '.join(token.namespaces)}  {_state(token)}"
    yield f"{counted(len(known), 'token')}."


def _state(token: KnownToken) -> str:
    used = f"used last on {token.last_used_on}" if token.last_used_on else "never used"
    if token.revoked_at is not None:
        return f"revoked on {token.revoked_at:%Y-%m-%d}, {used}"
    if token.expires_at is None:
        return f"never expires, {used}"
    return f"{'expired' if token.is_expired else 'expires'} on {token.expires_at:%Y-%m-%d}, {used}"
