"""`lineage facets`: what producers report of a run, a job version or a dataset version, normalized or not."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from dataclasses import asdict
from datetime import datetime
from typing import TYPE_CHECKING, Annotated
from uuid import UUID

import typer

from lineage_core.cli.database import chosen_store
from lineage_core.cli.panels import Panel
from lineage_core.cli.terminal import harmless
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.reading.facets import FoundFacet

AsJson = Annotated[bool, typer.Option("--json", help="Print each facet as one line of JSON, with its content.")]
Uuid = Annotated[UUID, typer.Argument(metavar="UUID", help="The `uuid` in the table.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command("run")(of_run)
    group.command("job-version")(of_job_version)
    group.command("dataset-version")(of_dataset_version)
    group.command("unreadable")(unreadable)
    application.add_typer(
        group, name="facets", help="Facets of a run, a job version or a dataset version.", rich_help_panel=Panel.READ
    )


@leaves(NOTHING_CHANGED)
def of_run(uuid: Uuid, as_json: AsJson = False) -> None:
    """List the facets of a run."""
    from lineage_core.reading.facets import facets_of_run

    _print(facets_of_run(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def of_job_version(uuid: Uuid, as_json: AsJson = False) -> None:
    """List the facets of a job version."""
    from lineage_core.reading.facets import facets_of_job_version

    _print(facets_of_job_version(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def of_dataset_version(uuid: Uuid, as_json: AsJson = False) -> None:
    """List the facets of a dataset version."""
    from lineage_core.reading.facets import facets_of_dataset_version

    _print(facets_of_dataset_version(chosen_store(), uuid), as_json)


@leaves(NOTHING_CHANGED)
def unreadable(
    as_json: Annotated[bool, typer.Option("--json", help="Print each kind of fault as one line of JSON.")] = False,
) -> None:
    """List the facets that were kept, but could not be read, by facet, fault and producer."""
    from lineage_core.reading.store.unreadable_facets import unreadable_facets

    for found in unreadable_facets(chosen_store()):
        if as_json:
            typer.echo(json.dumps(asdict(found), default=datetime.isoformat))
        else:
            seen = f"{found.facets:,} times from {found.first_time.isoformat()} to {found.last_time.isoformat()}"
            typer.echo(harmless(f"{found.name}  {found.producer}  {found.reason} at {found.path}  ({seen})"))


def _print(facets: Iterator[FoundFacet], as_json: bool) -> None:
    """One at a time, as a facet may have many megabytes."""
    for facet in facets:
        if as_json:
            _write(facet)
        else:
            typer.echo(_line(facet))


def _line(facet: FoundFacet) -> str:
    parts = [facet.lineage_event_time.isoformat(), facet.lineage_event_type or "-", facet.type, facet.name]
    words = "  ".join(word for word in parts if word)
    return harmless(f"{words}  ({len(facet.facet):,} bytes{', not normalized' if facet.from_raw else ''})")


def _write(facet: FoundFacet) -> None:
    """The content is JSON already: it goes out as it is."""
    members = {
        "name": facet.name,
        "lineage_event_time": facet.lineage_event_time.isoformat(),
        "lineage_event_type": facet.lineage_event_type,
        "type": facet.type,
        "from_raw": facet.from_raw,
    }
    output = sys.stdout.buffer
    output.write(json.dumps(members).encode()[:-1] + b', "facet": ')
    output.write(facet.facet)
    output.write(b"}\n")
