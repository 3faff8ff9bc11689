"""`lineage facets`: what producers report of a run, a job version or a dataset version, normalized or not."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from lineage_core.command_line.groups import CommandGroup, Panel, commands_of
from lineage_core.command_line.options import json_option
from lineage_core.command_line.results import harmless_line, json_text, show
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store
from lineage_core.reading import schema_commands

if TYPE_CHECKING:
    from lineage_core.reading.facets import FoundFacet

FACETS = CommandGroup("facets", "Facets of a run, a job version or a dataset version.", Panel.READ)

WithContent = Annotated[bool, json_option("Print each facet as one line of JSON, with its content.")]
Uuid = Annotated[UUID, typer.Argument(metavar="UUID", help="The `uuid` in the table.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, FACETS)
    commands.command("run")(of_run)
    commands.command("job-version")(of_job_version)
    commands.command("dataset-version")(of_dataset_version)
    commands.command("unreadable")(unreadable)
    schema_commands.register(application)


@leaves(NOTHING_CHANGED)
def of_run(uuid: Uuid, as_json: WithContent = False) -> None:
    """List the facets of a run."""
    from lineage_core.reading.facets import facets_of_run

    _print(facets_of_run(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def of_job_version(uuid: Uuid, as_json: WithContent = False) -> None:
    """List the facets of a job version."""
    from lineage_core.reading.facets import facets_of_job_version

    _print(facets_of_job_version(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def of_dataset_version(uuid: Uuid, as_json: WithContent = False) -> None:
    """List the facets of a dataset version."""
    from lineage_core.reading.facets import facets_of_dataset_version

    _print(facets_of_dataset_version(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def unreadable(
    as_json: Annotated[bool, json_option("Print each kind of fault as one line of JSON.")] = False,
) -> None:
    """List the facets that were kept, but could not be read, by facet, fault and producer."""
    from lineage_core.reading.store import unreadable_facets

    for found in unreadable_facets(chosen_store()):
        seen = f"{found.facets:,} times from {found.first_time.isoformat()} to {found.last_time.isoformat()}"
        line = f"{found.name}  {found.producer}  {found.reason} at {found.path}  ({seen})"
        show(found, [line], as_json=as_json)


def _print(facets: Iterator[FoundFacet], as_json: bool) -> None:
    """One at a time, as a facet may have many megabytes."""
    for facet in facets:
        if as_json:
            _write(facet)
        else:
            typer.echo(harmless_line(_line(facet)))


def _line(facet: FoundFacet) -> str:
    parts = [facet.lineage_event_time.isoformat(), facet.lineage_event_type or "-", facet.type, facet.name]
    words = "  ".join(word for word in parts if word)
    return f"{words}  ({len(facet.facet):,} bytes{', not normalized' if facet.from_raw else ''})"


def _write(facet: FoundFacet) -> None:
    """The content is JSON already: it goes out as it is."""
    members = {
        "name": facet.name,
        "lineage_event_time": facet.lineage_event_time,
        "lineage_event_type": facet.lineage_event_type,
        "type": facet.type,
        "from_raw": facet.from_raw,
    }
    output = sys.stdout.buffer
    output.write(json_text(members).encode()[:-1] + b', "facet": ')
    output.write(facet.facet)
    output.write(b"}\n")
