"""`lineage impact`: who a change to come of a dataset's schema reaches."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from typer.core import TyperCommand

from lineage_core.command_line.groups import Panel
from lineage_core.command_line.options import AsJson, refuse_empty
from lineage_core.command_line.results import show
from lineage_core.errors import WrongUsage
from lineage_core.interrupts import NOTHING_CHANGED, leaves
from lineage_core.local.chosen_store import chosen_store

if TYPE_CHECKING:
    from lineage_core.answers.impact.model import Impact, SchemaToCome


class FailOn(StrEnum):
    """From which verdict on the command fails."""

    BROKEN = "broken"
    UNKNOWN = "unknown"


class ImpactFormat(StrEnum):
    """What the command prints."""

    TEXT = "text"
    JSON = "json"
    MARKDOWN = "markdown"
    SARIF = "sarif"


class _WithPairs(TyperCommand):
    """`--rename OLD NEW` may be given several times. Typer knows no lists of pairs, so each comes as two texts."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, list(_one_by_one(args)))


def _one_by_one(arguments: list[str]) -> Iterator[str]:
    """With `--rename` before the new name, too. Raises WrongUsage where an option stands in place of a name."""
    for place, argument in enumerate(arguments):
        if arguments[max(place - 2, 0) : place][:1] == ["--rename"] and place > 1:
            yield "--rename"
        if argument.startswith("--") and "--rename" in arguments[max(place - 2, 0) : place]:
            raise WrongUsage(
                f"--rename takes two names, of a column now and of then: {argument} is no name, but an option"
            )
        yield argument


def register(application: typer.Typer) -> None:
    application.command(cls=_WithPairs, rich_help_panel=Panel.READ)(impact)


@leaves(NOTHING_CHANGED)
def impact(
    *,
    dataset: Annotated[
        tuple[str, str] | None, typer.Option(metavar="NAMESPACE NAME", help="Any name of the dataset that changes.")
    ] = None,
    schema: Annotated[
        Path | None, typer.Option(metavar="FILE", help="JSON: all fields as they will be, or a schema facet.")
    ] = None,
    drop: Annotated[
        list[str] | None, typer.Option(metavar="COLUMN", help="A column that goes.", callback=refuse_empty)
    ] = None,
    rename: Annotated[
        list[str] | None,
        typer.Option(metavar="OLD NEW", help="A column that gets another name.", callback=refuse_empty),
    ] = None,
    dbt_manifest: Annotated[
        Path | None, typer.Option(metavar="FILE", help="dbt's manifest.json: the columns that its models will have.")
    ] = None,
    contract: Annotated[
        Path | None, typer.Option(metavar="FILE", help="A data contract (ODCS v3, YAML): the columns as they will be.")
    ] = None,
    namespace: Annotated[
        str | None, typer.Option(help="Namespace of the datasets in the manifest or contract.", callback=refuse_empty)
    ] = None,
    depth: Annotated[int | None, typer.Option(min=1, help="Hops from the dataset; all without it.")] = None,
    limit: Annotated[int, typer.Option(min=1, help="Most consumers of the answer.")] = 1_000,
    after: Annotated[
        str | None, typer.Option(metavar="CURSOR", help="Go on there: `next` of a cut answer.", callback=refuse_empty)
    ] = None,
    fail_on: Annotated[FailOn | None, typer.Option(help="Exit 1 if a consumer is so, or worse.")] = None,
    format_: Annotated[
        ImpactFormat | None,
        typer.Option("--format", help="Markdown is a comment for a pull request; SARIF is for code scanning."),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """List the jobs and datasets that a change of a dataset's schema breaks, or may break."""
    from lineage_core.answers.graph.borders import other_stores
    from lineage_core.answers.impact.borders import impact_over_borders
    from lineage_core.answers.impact.described_datasets import described_datasets
    from lineage_core.answers.impact.impact import impact_of, impact_of_all
    from lineage_core.answers.impact.model import ImpactVerdict

    format_ = _format(format_, as_json)
    _check_subject(dataset, dbt_manifest, contract, namespace)
    if dataset is not None:
        change = _change(schema, drop, rename)
        found = impact_of(chosen_store(), *dataset, change, depth=depth, limit=limit, after=after)
    else:
        _refuse_beside_a_file(schema, drop, rename)
        changes = described_datasets(dbt_manifest, contract, namespace)
        found = impact_of_all(chosen_store(), changes, depth=depth, limit=limit, after=after)
    found = impact_over_borders(chosen_store(), found, other_stores())
    file = schema or dbt_manifest or contract
    _show(found, "/".join(dataset) if dataset else f"the datasets of {file}", format_, file)
    if fail_on is not None and found.has(ImpactVerdict(fail_on.value)):
        raise typer.Exit(1)


def _format(given: ImpactFormat | None, as_json: bool) -> ImpactFormat:
    if as_json and given not in (None, ImpactFormat.JSON):
        raise WrongUsage("Give --format or --json, not both")
    return ImpactFormat.JSON if as_json else given or ImpactFormat.TEXT


def _check_subject(
    dataset: tuple[str, str] | None, dbt_manifest: Path | None, contract: Path | None, namespace: str | None
) -> None:
    """Raises WrongUsage unless the options say, in one way, of which datasets the change is."""
    if sum(given is not None for given in (dataset, dbt_manifest, contract)) != 1:
        raise WrongUsage("Say what changes: --dataset NAMESPACE NAME, --dbt-manifest FILE, or --contract FILE")
    if (dataset is None) == (namespace is None):
        raise WrongUsage("--namespace goes with --dbt-manifest and --contract: it is that of their datasets")


def _refuse_beside_a_file(schema: Path | None, drop: list[str] | None, rename: list[str] | None) -> None:
    if schema is not None or drop or rename:
        raise WrongUsage("--schema, --drop and --rename go with --dataset alone: the file says what changes")


def _show(found: Impact, subject: str, format_: ImpactFormat, file: Path | None) -> None:
    """subject: what changes, for people. file: that says how; None without one."""
    from lineage_core.answers.impact.comment import comment_lines
    from lineage_core.answers.impact.sarif import sarif_document
    from lineage_core.answers.impact.text import text_lines

    match format_:
        case ImpactFormat.SARIF:
            show(sarif_document(found, file), (), as_json=True)
        case ImpactFormat.MARKDOWN:
            show(found, comment_lines(found, subject), as_json=False)
        case _:
            show(found, text_lines(found), as_json=format_ is ImpactFormat.JSON)


def _change(schema: Path | None, drop: list[str] | None, rename: list[str] | None) -> SchemaToCome:
    from lineage_core.answers.impact.model import SchemaToCome
    from lineage_core.reading.schema_commands import fields_in

    if (schema is None) == (not drop and not rename):
        raise WrongUsage("Say what changes: --schema FILE, or else --drop COLUMN and --rename OLD NEW")
    fields = None if schema is None else fields_in(schema)
    names = rename or []
    if len(names) % 2:
        raise WrongUsage("--rename takes two names: that of a column now, and that of then")
    renamed = tuple(zip(names[::2], names[1::2], strict=True))
    return SchemaToCome(fields, tuple(drop or ()), renamed)
