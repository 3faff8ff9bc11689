"""`lineage quarantine`: what could not become rows, and why. To try it again is of `ingest`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import QUARANTINE, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import first_line, harmless
from lineage_core.command_line.results import show as show_result
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.quarantine import QuarantinedDocument

DocumentId = Annotated[int, typer.Argument(metavar="ID", help="The number that `list` shows.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, QUARANTINE)
    commands.command("list")(list_entries)
    commands.command()(show)


@leaves(NOTHING_CHANGED)
def list_entries(as_json: AsJson = False) -> None:
    """List the documents in quarantine, and why they are there."""
    from lineage_core import quarantine

    entries = quarantine.entries(chosen_store())
    show_result([_members(entry) for entry in entries], _lines(entries), as_json=as_json)


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
    typer.echo(harmless(_line(entry, entry.reason)))
    typer.echo(harmless(document.decode(errors="backslashreplace")))


def _members(entry: QuarantinedDocument) -> dict[str, object]:
    return {
        "id": entry.id,
        "reason": entry.reason,
        "path": entry.path,
        "source": entry.source,
        "received_at": entry.received_at,
        "bytes": entry.size,
    }


def _lines(entries: Sequence[QuarantinedDocument]) -> Iterator[str]:
    for entry in entries:
        yield _line(entry, first_line(entry.reason))
    yield f"{len(entries):,} documents are in quarantine."


def _line(entry: QuarantinedDocument, reason: str) -> str:
    received = entry.received_at.isoformat(" ", "seconds")
    return f"{entry.id}  {received}  {entry.source} ({entry.size:,} bytes)  {entry.path}: {reason}"
