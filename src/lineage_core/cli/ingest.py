"""`lineage ingest`: files of OpenLineage events into the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_ingest_store
from lineage_core.cli.options import refuse_empty
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.errors import LineageError
from lineage_core.interrupts import leaves
from lineage_core.settings import ProjectSettings

if TYPE_CHECKING:
    from lineage_core.ingest.event_files import EventFile
    from lineage_core.ingest.ingestion import IngestOutcome, IngestProgress

PATHS = (
    "Files, folders (.json, .ndjson, .jsonl, each also .gz, at any depth), or - for standard input; may be left out."
)


def register(application: typer.Typer) -> None:
    application.command(rich_help_panel=Panel.START)(ingest)


@leaves("What was stored stays; ingest the same again, as an event that arrives twice counts once.")
def ingest(
    paths: Annotated[list[str] | None, typer.Argument(metavar="PATH", help=PATHS, callback=refuse_empty)] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Store OpenLineage events as they are.

    A file may hold one JSON document, an array, or a document a line; gzip is recognized.
    What is no event goes to quarantine, byte for byte. What cannot be read is named, and the exit code is 1.
    To ingest a file again is harmless: an event that arrives twice counts once.

    What Airflow's transport could not store, and keeps in the spool, is stored, too.
    """
    from lineage_core.ingest import event_files
    from lineage_core.ingest.ingestion import ingest
    from lineage_core.ingest.spool import Spool

    found = event_files.find(paths or ())
    spool = Spool(ProjectSettings.from_environment().spool)
    with _progress_bar(found.files) as progress:
        summary = ingest(chosen_ingest_store(), found, progress, spool)
    for unreadable in summary.unreadable:
        typer.echo(harmless(f"lineage: {unreadable}"), err=True)
    typer.echo(json.dumps(asdict(summary)) if as_json else _summary_text(summary))
    if summary.unreadable:
        raise LineageError(
            f"{len(summary.unreadable):,} files or folders, named above, could not be read to their end."
            " The rest is stored; to ingest all of it again is safe."
        )


def _summary_text(summary: IngestOutcome) -> str:
    text = (
        f"events: {summary.events:,}, quarantined: {summary.quarantined:,}, "
        f"files: {summary.files:,}, seconds: {summary.seconds:.1f}"
    )
    if summary.spooled:
        text += f"\n{summary.spooled:,} of them waited in the spool."
    return f"{text}\n`lineage quarantine list` says why." if summary.quarantined else text


@contextmanager
def _progress_bar(files: Sequence[EventFile]) -> Iterator[IngestProgress]:
    """A bar of bytes on a terminal; nothing anywhere else."""
    from rich.console import Console
    from rich.markup import escape
    from rich.progress import BarColumn, DownloadColumn, Progress, TextColumn, TimeRemainingColumn

    sizes = [file.size for file in files]
    before = dict(zip(files, accumulate(sizes, initial=0), strict=False))
    console = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), DownloadColumn(), TimeRemainingColumn())
    with Progress(*columns, console=console, transient=True, disable=not console.is_terminal) as bar:
        task = bar.add_task("", total=sum(sizes) or None)
        yield lambda file, read: bar.update(task, description=escape(file.name), completed=before[file] + read)
