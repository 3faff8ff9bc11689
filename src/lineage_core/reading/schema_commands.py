"""`lineage schema`: how the schema of a dataset changed, and whether a new one would be permitted (seed 004)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from lineage_core.command_line.groups import SCHEMA, commands_of
from lineage_core.command_line.options import AsJson
from lineage_core.command_line.results import show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.evolution import DescribedField, Judgement
    from lineage_core.reading.schema_history import JudgedVersion

Dataset = Annotated[tuple[str, str], typer.Option("--dataset", metavar="NAMESPACE NAME", help="Any name of it.")]


def register(application: typer.Typer) -> None:
    commands = commands_of(application, SCHEMA)
    for command in (history, diff, check):
        commands.command()(command)


@leaves(NOTHING_CHANGED)
def history(dataset: Dataset, as_json: AsJson = False) -> None:
    """Show the verdict on each schema that a dataset has had, the first one first."""
    from lineage_core.reading.schema_history import schema_history

    versions = schema_history(chosen_store(), *dataset)
    show([_members(one) for one in versions], _lines(versions), as_json=as_json)


@leaves(NOTHING_CHANGED)
def diff(
    dataset: Dataset,
    first: Annotated[
        int | None, typer.Option("--from", metavar="N", help="Number of a schema; by default the last that differs.")
    ] = None,
    second: Annotated[int, typer.Option("--to", metavar="N", help="Number of another one; -1 is the last.")] = -1,
    as_json: AsJson = False,
) -> None:
    """Show what changed from one schema to another. By default, compares the last two schemas."""
    from lineage_core.reading.schema_history import schema_difference

    judgement = schema_difference(chosen_store(), *dataset, first, second)
    show(judgement, _judgement_lines(judgement), as_json=as_json)


@leaves(NOTHING_CHANGED)
def check(
    dataset: Dataset,
    file: Annotated[Path, typer.Argument(metavar="FILE", help="JSON: the fields, or a schema facet.")],
    no_fencing: Annotated[bool, typer.Option("--no-fencing", help="Also exit 1 if a job is fenced.")] = False,
    as_json: AsJson = False,
) -> None:
    """Judge a schema that is to come next; exit 1 if it is refused."""
    from lineage_core.evolution import Verdict
    from lineage_core.reading.schema_history import judgement_of

    judgement = judgement_of(chosen_store(), *dataset, fields_in(file))
    show(judgement, _judgement_lines(judgement), as_json=as_json)
    if judgement.verdict is Verdict.REFUSED or (no_fencing and judgement.fenced):
        raise typer.Exit(1)


def fields_in(file: Path) -> tuple[DescribedField, ...]:
    """The fields that a file of JSON gives. Raises WrongUsage if it gives none."""
    from lineage_core.evolution.dataset_history import written_fields

    try:
        text = file.read_bytes()
    except OSError as error:
        raise WrongUsage(f"{file} is no file that can be read: {error}") from error
    return written_fields(text, str(file))


def _members(one: JudgedVersion) -> dict[str, object]:
    members = {"number": one.number, "version": str(one.version), "current_from": one.current_from}
    return members | asdict(one.judgement)


def _lines(versions: Iterable[JudgedVersion]) -> Iterator[str]:
    for one in versions:
        number = "-" if one.number is None else one.number
        yield f"{number:<4}  {one.current_from.isoformat()}  {one.version}  {one.judgement.verdict}"
        yield from _detail_lines(one.judgement)


def _judgement_lines(judgement: Judgement) -> Iterator[str]:
    yield judgement.verdict
    yield from _detail_lines(judgement)


def _detail_lines(judgement: Judgement) -> Iterator[str]:
    for change in judgement.changes:
        yield f"    {change.kind}: {change.path}"
    for refusal in judgement.refusals:
        yield f"    refused: {refusal.path}: {refusal.reason} (rule {refusal.rule})"
    for fenced in judgement.fenced:
        reads = "reads" if fenced.is_known else "may read"
        yield f"    fences {fenced.reader}, which {reads} {fenced.refusal.path}"
