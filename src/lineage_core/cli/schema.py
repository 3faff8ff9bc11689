"""`lineage schema`: how the schema of a dataset changed, and whether a new one would be permitted (seed 004)."""

from __future__ import annotations

import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from lineage_core.cli.database import chosen_dsn
from lineage_core.cli.terminal import harmless
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves

if TYPE_CHECKING:
    from lineage_core.evolution import DescribedField, Judgement

Dataset = Annotated[tuple[str, str], typer.Option("--dataset", metavar="NAMESPACE NAME", help="Any name of it.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]


def register(application: typer.Typer) -> None:
    group = typer.Typer(no_args_is_help=True)
    group.command()(history)
    group.command()(diff)
    group.command()(check)
    application.add_typer(group, name="schema", help="Changes of the schema of a dataset.")


@leaves(NOTHING_CHANGED)
def history(dataset: Dataset, as_json: AsJson = False) -> None:
    """Judge each schema that a dataset has had, the first one first."""
    from lineage_core.reading.schema_history import schema_history

    versions = schema_history(chosen_dsn(), *dataset)
    if as_json:
        members = (
            {"version": str(one.version), "current_from": one.current_from.isoformat(), **asdict(one.judgement)}
            for one in versions
        )
        typer.echo(json.dumps(list(members)))
        return
    for one in versions:
        typer.echo(f"{one.current_from.isoformat()}  {one.version}  {one.judgement.verdict}")
        _print_details(one.judgement)


@leaves(NOTHING_CHANGED)
def diff(
    dataset: Dataset,
    first: Annotated[int, typer.Option("--from", metavar="N", help="Number of a schema, the last one is -1.")] = -2,
    second: Annotated[int, typer.Option("--to", metavar="N", help="Number of another one.")] = -1,
    as_json: AsJson = False,
) -> None:
    """Show what changed from one known schema to another, by default from the last but one to the last."""
    from lineage_core.reading.schema_history import schema_difference

    _print(schema_difference(chosen_dsn(), *dataset, first, second), as_json)


@leaves(NOTHING_CHANGED)
def check(
    dataset: Dataset,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON: the fields, or a schema facet.")],
    no_fencing: Annotated[bool, typer.Option("--no-fencing", help="Refuse what fences a job, too.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a schema that is to come next; exit 1 if it is refused."""
    from lineage_core.evolution import Verdict
    from lineage_core.reading.schema_history import judgement_of

    judgement = judgement_of(chosen_dsn(), *dataset, _fields_in(file))
    _print(judgement, as_json)
    if judgement.verdict is Verdict.REFUSED or (no_fencing and judgement.fenced):
        raise typer.Exit(1)


def _fields_in(file: Path) -> tuple[DescribedField, ...]:
    from lineage_core.evolution.dataset_history import described_fields

    try:
        value = json.loads(file.read_bytes())
    except (OSError, ValueError, RecursionError) as error:
        raise WrongUsage(f"{file} is no file of JSON that can be read: {error}") from error
    fields = described_fields(value.get("fields") if isinstance(value, dict) else value)
    if fields is None:
        raise WrongUsage(f"{file} has no fields: it is a list of them, or an object with one under `fields`")
    return fields


def _print(judgement: Judgement, as_json: bool) -> None:
    if as_json:
        members: dict[str, Any] = asdict(judgement)
        typer.echo(json.dumps(members))
        return
    typer.echo(judgement.verdict)
    _print_details(judgement)


def _print_details(judgement: Judgement) -> None:
    for change in judgement.changes:
        typer.echo(harmless(f"    {change.kind}: {change.path}"))
    for refusal in judgement.refusals:
        typer.echo(harmless(f"    refused: {refusal.path}: {refusal.reason} (rule {refusal.rule})"))
    for fenced in judgement.fenced:
        typer.echo(harmless(f"    fences {fenced.reader}, which reads {fenced.refusal.path}"))
