"""`lineage quarantine`: what could not become rows, why, and whether it can now."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.ingest.store.quarantine_retry import Retried
    from lineage_core.quarantine import QuarantinedDocument

AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]
DocumentId = Annotated[int, typer.Argument(metavar="ID", help="The number that `list` shows.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command("list")(list_entries)
    group.command()(show)
    group.command()(retry)
    application.add_typer(
        group, name="quarantine", help="Documents that could not become rows.", rich_help_panel=Panel.WATCH
    )


@leaves(NOTHING_CHANGED)
def list_entries(as_json: AsJson = False) -> None:
    """List the documents in quarantine, and why they are there."""
    from lineage_core import quarantine

    entries = quarantine.entries(chosen_store())
    if as_json:
        typer.echo(json.dumps([_as_json(entry) for entry in entries]))
        return
    for entry in entries:
        typer.echo(_line(entry, _in_short(entry.reason)))
    typer.echo(f"{len(entries):,} documents are in quarantine.")


@leaves(NOTHING_CHANGED)
def show(
    number: DocumentId,
    raw: Annotated[bool, typer.Option("--raw", help="Print the document alone, byte for byte.")] = False,
) -> None:
    """Print one document of the quarantine; characters that could control a terminal are escaped."""
    from lineage_core import quarantine

    store = chosen_store()
    document = quarantine.raw(store, number)
    if raw:
        typer.get_binary_stream("stdout").write(document)
        return
    entry = quarantine.entry(store, number)
    typer.echo(_line(entry, entry.reason))
    typer.echo(harmless(document.decode(errors="backslashreplace")))


@leaves("What was ingested has left the quarantine; `lineage quarantine retry` again does the rest.")
def retry(
    numbers: Annotated[list[int] | None, typer.Argument(metavar="ID", help="Numbers that `list` shows.")] = None,
    everything: Annotated[bool, typer.Option("--all", help="Try all documents.")] = False,
    as_json: AsJson = False,
) -> None:
    """Read documents of the quarantine again. Documents that are now valid become raw events."""
    from lineage_core.ingest.store.quarantine_retry import retry

    if bool(numbers) == everything:
        raise WrongUsage("Name the documents to try again by their numbers, or all of them by --all.")
    results = list(retry(chosen_store(), numbers or None))
    if not as_json:
        for result in results:
            typer.echo(_outcome(result))
    ingested = sum(result.refused is None for result in results)
    summary = {"ingested": ingested, "kept": len(results) - ingested}
    typer.echo(json.dumps(summary) if as_json else "{ingested:,} ingested, {kept:,} kept.".format(**summary))


def _as_json(entry: QuarantinedDocument) -> dict[str, object]:
    return {
        "id": entry.id,
        "reason": entry.reason,
        "path": entry.path,
        "source": entry.source,
        "received_at": entry.received_at.isoformat(),
        "bytes": entry.size,
    }


def _line(entry: QuarantinedDocument, reason: str) -> str:
    received = entry.received_at.isoformat(" ", "seconds")
    return harmless(f"{entry.id}  {received}  {entry.source} ({entry.size:,} bytes)  {entry.path}: {reason}")


def _outcome(result: Retried) -> str:
    if result.refused is None:
        return f"{result.id}  ingested"
    return harmless(f"{result.id}  kept  {result.refused.path}: {_in_short(result.refused.reason)}")


def _in_short(reason: str) -> str:
    """Without where it happened in our own code, which stands behind some reasons."""
    return reason.partition("\n")[0]
