"""`lineage archive`: ask what has left Postgres."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.found_rows import MOST_ROWS, AsCsv, Limit, refuse_two_forms, show_rows
from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.progress import Unit, progress
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.settings import ProjectSettings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from lineage_core.archive.named_relations import NamedRelations

ARCHIVE = CommandGroup("archive", "Ask raw events that have left Postgres, and changelog streams, in SQL.", Panel.READ)

Archives = Annotated[
    list[str] | None,
    typer.Option(
        "--archive",
        metavar="URL",
        help="Where `retention apply` archives raw events, or a manifest.json there.",
        callback=refuse_empty,
    ),
]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, ARCHIVE)
    commands.command()(query)
    commands.command()(views)


@leaves(NOTHING_CHANGED)
def query(
    text: Annotated[str, typer.Argument(metavar="SQL", help="A query in Spark SQL.", callback=refuse_empty)],
    archives: Archives = None,
    limit: Limit = MOST_ROWS,
    master: Annotated[str, typer.Option(help="The Spark that answers.", callback=refuse_empty)] = "local[*]",
    as_json: AsJson = False,
    as_csv: AsCsv = False,
) -> None:
    """Answer a query of archived raw events, as `lineage_events`, and of streams, by the names of their tables."""
    from lineage_core.spark.session import spark_session
    from lineage_core.spark.sql_queries import queried_rows
    from lineage_core.spark.watched_tasks import watched_tasks

    refuse_two_forms(as_json=as_json, as_csv=as_csv)
    frames = frames_of(_relations(archives))
    with (
        spark_session("lineage archive query", master) as session,
        progress("archive query", Unit("tasks"), as_json=as_json) as shown,
        watched_tasks(session.sparkContext, shown),
    ):
        found = queried_rows(session, text, frames, limit)
    show_rows(found, limit, as_json=as_json, as_csv=as_csv)


@leaves(NOTHING_CHANGED)
def views(
    archives: Archives = None,
    streams: Annotated[
        list[str] | None,
        typer.Option("--stream", metavar="NAME", help="A published stream.", callback=refuse_empty),
    ] = None,
) -> None:
    """Print a script for DuckDB that makes views of archived raw events and of streams, by the files of now."""
    from lineage_core.archive.duckdb_views import script

    if not archives and not streams:
        raise WrongUsage("Name what the views are to show, by --archive or --stream")
    relations = _relations(archives)
    groups = [relations.events()] if archives else []
    groups += [relations.stream(name) for name in streams or []]
    for statement in (statement for group in groups for statement in script(group)):
        typer.echo(statement)


def frames_of(relations: NamedRelations) -> Callable[[SparkSession, str], DataFrame | None]:
    """The relations as frames of Spark."""
    from lineage_core.archive.relations import FILENAME, EventFiles, SqlView, StreamRecords
    from lineage_core.spark.changelog_frame import stream_frame
    from lineage_core.spark.sql_queries import analysed, event_files

    def frame(session: SparkSession, name: str) -> DataFrame | None:
        match relations[name]:
            case SqlView(text):
                return analysed(session, text, frame)
            case EventFiles(paths):
                return event_files(session, paths, FILENAME)
            case StreamRecords(files):
                return stream_frame(session, files).records
        return None

    return frame


def _relations(archives: list[str] | None) -> NamedRelations:
    from lineage_core.archive.named_relations import NamedRelations

    return NamedRelations(archives or [], ProjectSettings.from_environment().streams_url, chosen_store)
