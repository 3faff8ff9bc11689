"""`lineage quarantine`: what could not become rows, why, and what becomes of it. To try it again is of `ingest`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import QUARANTINE, commands_of
from lineage_core.command_line.options import AsJson, DocumentIds, EveryDocument, OfReason, Yes, refuse_empty
from lineage_core.command_line.progress import Unit, progress
from lineage_core.command_line.results import first_line, harmless, megabytes
from lineage_core.command_line.results import show as show_result
from lineage_core.interrupts import NOTHING_CHANGED, all_or_nothing, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.quarantine import QuarantinedDocument
    from lineage_core.quarantine.reasons import QuarantineReason

DocumentId = Annotated[int, typer.Argument(metavar="ID", help="The number that `list` shows.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, QUARANTINE)
    commands.command("list")(list_entries)
    commands.command()(show)
    commands.command()(export)
    commands.command()(discard)


@leaves(NOTHING_CHANGED)
def list_entries(
    by_reason: Annotated[
        bool, typer.Option("--by-reason", help="Count them by reason and place, and say what helps.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """List the documents in quarantine, and why they are there."""
    from lineage_core import quarantine
    from lineage_core.quarantine import reasons

    entries = quarantine.entries(chosen_store())
    if by_reason:
        counted_reasons = reasons.by_reason(entries)
        show_result(counted_reasons, _reason_lines(counted_reasons), as_json=as_json)
    else:
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


@leaves("What was written stays in the folder.")
def export(
    folder: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Where the files go; made if it is missing.")],
    numbers: DocumentIds = None,
    reason: OfReason = None,
    everything: EveryDocument = False,
    as_json: AsJson = False,
) -> None:
    """Write documents into a folder, a file each, and why they are in quarantine into reasons.csv.

    They stay in quarantine. Repair the files that you need, ingest them, and discard the documents.
    """
    from lineage_core import quarantine
    from lineage_core.quarantine import exporting

    store = chosen_store()
    documents = quarantine.chosen(store, numbers, reason, everything)
    with progress("export", Unit("documents"), len(documents), as_json=as_json) as shown:
        exporting.export(store, documents, folder, shown)
    amount = counted(len(documents), "document")
    line = f"{amount} written to {folder}; reasons.csv there says why each is in quarantine."
    show_result({"exported": len(documents), "folder": folder}, [line], as_json=as_json)


@leaves(all_or_nothing("lineage quarantine list"))
def discard(
    why: Annotated[str, typer.Option(metavar="TEXT", help="Why they are not needed.", callback=refuse_empty)],
    numbers: DocumentIds = None,
    reason: OfReason = None,
    yes: Yes = False,
    as_json: AsJson = False,
) -> None:
    """Take documents out of quarantine for good. What they were stays in `discarded_documents`, without their text.

    One that comes again, from wherever, is not kept. By reason, --yes is needed.
    """
    from lineage_core import quarantine

    store = chosen_store()
    documents = quarantine.chosen(store, numbers, reason)
    is_only_shown = reason is not None and not yes
    if not is_only_shown:
        quarantine.discard(store, documents, why)
    found = {"documents": documents, "discarded": not is_only_shown}
    amount = counted(len(documents), "document")
    line = f"{amount} would be discarded. To do it, add --yes." if is_only_shown else f"{amount} discarded."
    show_result(found, [line], as_json=as_json)


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
    hint = " `lineage quarantine list --by-reason` says what helps." if entries else ""
    yield f"{_total(len(entries))}{hint}"


def _reason_lines(found: Sequence[QuarantineReason]) -> Iterator[str]:
    for one in found:
        amount = f"{counted(one.documents, 'document')}, {megabytes(one.bytes)}, such as {one.example}"
        yield f"{amount}  {one.path}: {one.reason}"
        yield f"  {one.advice}"
    yield _total(sum(one.documents for one in found))


def _total(documents: int) -> str:
    return f"{counted(documents, 'document is', 'documents are')} in quarantine."


def _line(entry: QuarantinedDocument, reason: str) -> str:
    received = entry.received_at.isoformat(" ", "seconds")
    return f"{entry.id}  {received}  {entry.source} ({entry.size:,} bytes)  {entry.path}: {reason}"
