"""`lineage ingest`: files of OpenLineage events into the store."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import asdict
from itertools import accumulate
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.cli.database import chosen_ingest_dsn

if TYPE_CHECKING:
    from lineage_core.event_files import EventFile
    from lineage_core.ingest import Progress, Summary

PATHS = "Files, folders (.json, .ndjson, .jsonl, each also .gz, at any depth), or - for standard input."


def register(application: typer.Typer) -> None:
    application.command()(ingest)


def ingest(
    paths: Annotated[list[str], typer.Argument(metavar="PATH", help=PATHS)],
    as_json: Annotated[bool, typer.Option("--json", help="Print the summary as JSON.")] = False,
) -> None:
    """Store OpenLineage events as they are.

    A file may hold one JSON document, an array, or a document a line; gzip is recognized.
    What is no event goes to quarantine, byte for byte.
    To ingest a file again is safe: an event that arrives twice counts once.
    """
    from lineage_core import event_files
    from lineage_core.ingest import ingest

    files = event_files.find(paths)
    with _progress_bar(files) as progress:
        summary = ingest(chosen_ingest_dsn(), files, progress)
    typer.echo(json.dumps(asdict(summary)) if as_json else _told(summary))


def _told(summary: Summary) -> str:
    told = (
        f"events: {summary.events:,}, quarantined: {summary.quarantined:,}, "
        f"files: {summary.files:,}, seconds: {summary.seconds:.1f}"
    )
    return f"{told}\n`lineage quarantine list` says why." if summary.quarantined else told


@contextmanager
def _progress_bar(files: Sequence[EventFile]) -> Iterator[Progress]:
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
