"""`lineage ingest`: files of OpenLineage events into the store; `lineage quarantine retry`: what was refused, again."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.capability import counted
from lineage_core.command_line.groups import QUARANTINE, Panel, commands_of
from lineage_core.command_line.options import AsJson, DocumentIds, EveryDocument, OfReason, refuse_empty
from lineage_core.command_line.progress import MEGABYTES, Unit, progress
from lineage_core.command_line.results import first_line, harmless_line, show
from lineage_core.errors import LineageError
from lineage_core.interrupts import leaves
from lineage_core.local.chosen_store import chosen_ingest_store, chosen_store
from lineage_core.settings import ProjectSettings, spool_from_environment, store_list_to_route_by

if TYPE_CHECKING:
    from pathlib import Path

    from lineage_core.ingest.event_files import EventFile, FoundFiles
    from lineage_core.ingest.ingestion import IngestOutcome, IngestProgress
    from lineage_core.ingest.store import RetryOutcome
    from lineage_core.store_list import StoreList

PATHS = (
    "Files, folders (.json, .ndjson, .jsonl, each also .gz, at any depth), or - for standard input; may be left out."
)


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.START)(ingest)
    commands_of(application, QUARANTINE).command()(retry)


@leaves("What was stored stays; ingest the same again, as an event that arrives twice counts once.")
def ingest(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help=PATHS, callback=refuse_empty)] = None,
    as_json: AsJson = False,
) -> None:
    """Store OpenLineage events as they are.

    A file may hold one JSON document, an array, or a document a line; gzip is recognized.
    What is no event goes to quarantine, byte for byte. What cannot be read is named, and the exit code is 1.
    To ingest a file again is safe: an event that arrives twice counts once.

    What Airflow's transport could not store, and keeps in the spool, is stored, too.
    Where LINEAGE_STORES lists several stores, each event goes to the one of its namespace.
    """
    from lineage_core.ingest import event_files

    listed = store_list_to_route_by()
    spool = ProjectSettings.from_environment().spool if listed is None else spool_from_environment()
    found = event_files.find(paths or ())  # a wrong setting is refused before a folder is walked
    with _bytes_read(found.files, as_json=as_json) as read:
        summary = _ingested(listed, found, spool, read)
    for unreadable in summary.unreadable:
        typer.echo(harmless_line(f"lineage: {unreadable}"), err=True)
    show(summary, _summary_lines(summary), as_json=as_json)
    if summary.unreadable:
        amount = counted(len(summary.unreadable), "file or folder", "files or folders")
        raise LineageError(
            f"{amount}, named above, could not be read to the end. The rest is stored;"
            " to ingest all of it again is safe."
        )
    _refuse_unstored(summary)


def _ingested(listed: StoreList | None, found: FoundFiles, spool: Path, read: IngestProgress) -> IngestOutcome:
    """Into the one store, or into those of the list."""
    from lineage_core.ingest.ingestion import ingest
    from lineage_core.ingest.routes import ingest_by_routes
    from lineage_core.ingest.spool import Spool

    if listed is None:
        return ingest(chosen_ingest_store(), found, read, Spool(spool))
    return ingest_by_routes(listed, found, spool, read)


def _refuse_unstored(summary: IngestOutcome) -> None:
    """Fails the command where a store did not take its own."""
    from lineage_core.ingest.routes import RoutedIngestOutcome

    shares = summary.stores if isinstance(summary, RoutedIngestOutcome) else {}
    away = [f"{name} ({share.problem})" for name, share in shares.items() if share.problem]
    if away:
        raise LineageError(
            f"Not all is stored, as stores did not take what is theirs: {', '.join(away)}. The others have theirs."
            " To ingest all of it again is safe."
        )


@leaves("What was ingested has left the quarantine; `lineage quarantine retry` again does the rest.")
def retry(
    numbers: DocumentIds = None,
    reason: OfReason = None,
    everything: EveryDocument = False,
    as_json: AsJson = False,
) -> None:
    """Read documents of the quarantine again. Documents that are now valid become raw events.

    This helps after an update of this project. What was never an event stays: repair it, or discard it.
    """
    from lineage_core import quarantine
    from lineage_core.ingest.store import retry

    store = chosen_store()
    chosen = quarantine.chosen(store, numbers, reason, everything)
    results: list[RetryOutcome] = []
    with progress("retry", Unit("documents"), len(chosen), as_json=as_json) as shown:
        for result in retry(store, chosen):
            results.append(result)
            shown(len(results))
    ingested = sum(result.refused is None for result in results)
    counts = {"ingested": ingested, "kept": len(results) - ingested}
    lines = [*map(_retried_line, results), "{ingested:,} ingested, {kept:,} kept.".format(**counts)]
    if counts["kept"]:
        lines.append("`lineage quarantine list --by-reason` says what helps with what is kept.")
    show(counts, lines, as_json=as_json)


def _retried_line(result: RetryOutcome) -> str:
    if result.refused is None:
        return f"{result.id}  ingested"
    return f"{result.id}  kept  {result.refused.path}: {first_line(result.refused.reason)}"


def _summary_lines(summary: IngestOutcome) -> Iterator[str]:
    yield (
        f"events: {summary.events:,}, quarantined: {summary.quarantined:,}, "
        f"files: {summary.files:,}, seconds: {summary.seconds:.1f}"
    )
    if summary.spooled:
        yield f"{summary.spooled:,} of them waited in the spool."
    yield from _lines_of_shares(summary)
    if summary.quarantined:
        yield "`lineage quarantine list --by-reason` says why."


def _lines_of_shares(summary: IngestOutcome) -> Iterator[str]:
    from lineage_core.ingest.routes import RoutedIngestOutcome

    for name, share in (summary.stores if isinstance(summary, RoutedIngestOutcome) else {}).items():
        unstored = f", not stored: {share.unstored:,}" if share.unstored else ""
        yield f"{name}: events: {share.events:,}, quarantined: {share.quarantined:,}{unstored}"


@contextmanager
def _bytes_read(files: Sequence[EventFile], *, as_json: bool) -> Iterator[IngestProgress]:
    """How much of the files has been read; of what has no size, such as a pipe, no total is known."""
    sizes = [file.size for file in files]
    before = dict(zip(files, accumulate(sizes, initial=0), strict=False))
    with progress("ingest", MEGABYTES, sum(sizes) or None, as_json=as_json) as shown:
        yield lambda file, read: shown(before[file] + read)
